#pragma once

#include <filesystem>
#include <string>

namespace trammel {

/// Writes report.html, the page of a sweep, into its folder, from sweep.json, table.csv and bands.csv there (docs/sweeps.md); what is there
/// of a sweep that is not finished is shown as that. Returns false where the library was built without the page. Throws Error where there is
/// no sweep.
bool write_sweep_page(const std::filesystem::path& folder);

/// What the page is given (viewer/src/sweep/data.ts), as JSON. A table of more than `most_numbers` entries is thinned to as many: of its
/// rows a part drawn by chance, each with the same probability, and all that sweep.json names.
std::string sweep_page_data(const std::filesystem::path& folder, long most_numbers = 1'200'000);

}  // namespace trammel
