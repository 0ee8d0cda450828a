#include "trammel/base/error.h"

#include "bind.h"

namespace trammel::python {
namespace {

// trammel::Error as pytrammel.Error, which is written in Python.
void raise(const Error& error) {
  const Place& place = error.place();
  const nb::object type = nb::module_::import_("pytrammel._error").attr("Error");
  const auto known = [](int number) -> nb::object { return number > 0 ? nb::object(nb::int_(number)) : nb::none(); };
  const nb::object file = place.file.empty() ? nb::object(nb::none()) : nb::object(nb::str(place.file.c_str()));
  const nb::object value = type(nb::str(error.what()), file, known(place.line), known(place.column),
                                nb::str(error.found().c_str()), nb::str(error.allowed().c_str()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

void bind_error(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace trammel::python
