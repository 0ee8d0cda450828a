#include "program.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

namespace trammel::python {
namespace {

int program(std::vector<std::string> words, const std::string& studies) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return cli::run_program(static_cast<int>(words.size()), argv.data(), studies);
}

}  // namespace

void bind_program(nb::module_& m) {
  m.def("program", program, nb::arg("words"), nb::arg("studies"), nb::call_guard<nb::gil_scoped_release>(),
        "trammel VERB …, with all words as a shell gives them; returns the exit code.");
}

}  // namespace trammel::python
