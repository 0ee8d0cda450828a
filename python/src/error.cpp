#include "trammel/base/error.h"

#include <algorithm>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "bind.h"
#include "shown_error.h"
#include "trammel/base/names.h"

namespace trammel::python {
namespace {

// Bytes that are no UTF-8, which messages may quote, are escaped; a zero is no end.
nb::object text(std::string_view bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace"));
}

// trammel::Error as pytrammel.Error, which is written in Python.
void raise(const Error& error, const std::string& message) {
  const Place& place = error.place();
  const nb::object type = nb::module_::import_("pytrammel._error").attr("Error");
  const auto known = [](int number) -> nb::object { return number > 0 ? nb::object(nb::int_(number)) : nb::none(); };
  const nb::object file = place.file.empty() ? nb::object(nb::none()) : text(place.file);
  const nb::object value =
      type(text(message), file, known(place.line), known(place.column), text(error.found()), text(error.allowed()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

// The message; where it quotes a zero, at which what() would end, it is made of the parts.
std::string message_of(const Error& error) {
  const std::string& file = error.place().file;
  if ((file + error.found() + error.allowed()).find('\0') == std::string::npos) return error.what();
  return fmt::format("{}{}found {}; allowed: {}", file, file.empty() ? "" : ": ", error.found(), error.allowed());
}

int find_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const auto found = std::ranges::find(known, name);
  if (found == known.end()) throw Error(fmt::format("{} '{}'", kind, name), allowed_names(name, known));
  return static_cast<int>(found - known.begin());
}

}  // namespace

void bind_error(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const ShownError& error) {
      raise(error, error.shown);
    } catch (const Error& error) {
      raise(error, message_of(error));
    }
  });
  m.def("find_name", find_name, nb::arg("kind"), nb::arg("name"), nb::arg("known"),
        "Where a name stands in a list. An Error names the nearest one.");
}

}  // namespace trammel::python
