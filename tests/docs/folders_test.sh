#!/usr/bin/env bash
# folders_test.sh REPOSITORY: docs/architecture.md lists the folders of the library, in the order of trammel/CMakeLists.txt.
set -euo pipefail
cd "${1:?usage: folders_test.sh REPOSITORY}"
built=$(sed -n 's/^trammel_folder(\([a-z]*\).*/\1/p' trammel/CMakeLists.txt)
listed=$(sed -n 's#^| `\([a-z]*\)/` |.*#\1#p' docs/architecture.md)
[[ -n $built ]] || { echo "no folders found in trammel/CMakeLists.txt" >&2; exit 1; }
diff <(echo "$built") <(echo "$listed") || { echo "docs/architecture.md (right) does not list the folders (left)" >&2; exit 1; }
