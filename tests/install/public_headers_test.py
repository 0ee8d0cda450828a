"""public_headers_test.py PREFIX COMPILER: what the installed headers show does not depend on the vector flags of the compiler.

- Every installed header finds the installed headers that it includes.
- None speaks of vector registers: what a user's object holds, or calls, is made of plain numbers.
- The types have the same size and alignment with AVX-512 as without, if Eigen's alignment is the same.
- No function of the library that a user's object asks for has a vector type in its name.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

prefix, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
include = prefix / "include"
words = re.compile(r"__AVX|vector_size|immintrin|\bLanes|\bPacks?4?\b|Packed[A-Z<]")

# The one place that may ask: it makes objects of other flags fail to link.
asks = {"trammel/math/vector.h"}

complaints = []
headers = {str(p.relative_to(include)): p.read_text() for p in sorted(include.glob("trammel/**/*.h"))}
if "trammel/trammel.h" not in headers:
    sys.exit(f"no trammel/trammel.h below {include}")

for name, text in headers.items():
    for number, line in enumerate(text.splitlines(), 1):
        included = re.match(r'\s*#\s*include\s*["<](trammel/[^">]+)', line)
        if included and included[1] not in headers:
            complaints.append(f"{name}:{number}: includes {included[1]}, which is not installed")
        found = words.search(line)
        if found and name not in asks:
            complaints.append(f"{name}:{number}: '{found[0]}' in an installed header; allowed: in headers that trammel.h does not reach")

# Types that users hold by value.
types = """Model Body Frame RobotDescription Link Joint Positions<> Kinematics<> BodyMotion<> TreeWorkspace<> WorldInertias<>
    ArticulatedFactor<> TreeBatchWorkspace Rows BodyPoint Distance Coincident PointOnPath Weld HingeClosure Rolling System
    NamedConstraint MatrixSystem Problem RowSet Data Motion Torques MotorStage RowSolution ConstraintForce Diagnosis MotionBatchWorkspace
    MotionBatch Equation Assembly AssemblyOptions SimulateOptions Simulation Recording State Scenario Summary Check TorqueStudy
    Figure Results Jet Pose<> Inertia<> Vec6<> Mat6<> Eigen::Vector4d""".split()
source = "#include <trammel/trammel.h>\nusing namespace trammel;\n[[gnu::section(\"layout\"), gnu::used]] const unsigned long layout[] = {"
source += ", ".join(f"sizeof({t}), alignof({t})" for t in types) + "};\n"
# and some calls, so that there is something to link
source += """double use(const System& system, const State& at) {
  Data data(compile(system));
  Data copy = data;
  Motion motion(1, 1);
  solve_motion(at.q, at.v, at.t, copy, motion);
  MotionBatchWorkspace batch(data.problem, 2);
  TreeWorkspace<> tree(system.model);
  (void)forward_dynamics<double>(system.model, at.q, at.v, at.q, tree, motion.vdot);
  return motion.vdot[0] + simulate(data.problem, at, {}).worst_phi + mass_matrix(system.model, at.q)(0, 0);
}
"""


def compiled(folder, *flags):
    """The numbers of the layout, and the symbols of the library that the object asks for."""
    out = folder / "face.o"
    command = [compiler, "-std=c++20", "-c", *flags, "-DEIGEN_MAX_ALIGN_BYTES=16", f"-I{include}", "-isystem/usr/include/eigen3", "-xc++", "-", "-o", str(out)]
    subprocess.run(command, input=source, text=True, check=True)
    raw = folder / "layout"
    subprocess.run(["objcopy", "-O", "binary", "--only-section=layout", str(out), str(raw)], check=True)
    data = raw.read_bytes()
    numbers = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]
    symbols = subprocess.run(["nm", "--undefined-only", "--demangle", str(out)], capture_output=True, text=True, check=True).stdout
    return numbers, [s.split(maxsplit=1)[1] for s in symbols.splitlines() if "trammel::" in s]


if not complaints:
    with tempfile.TemporaryDirectory() as folder:
        plain, symbols = compiled(pathlib.Path(folder))
        wide, wide_symbols = compiled(pathlib.Path(folder), "-mavx512f", "-mavx2", "-mfma")
    for i, t in enumerate(types):
        if plain[2 * i : 2 * i + 2] != wide[2 * i : 2 * i + 2]:
            complaints.append(f"{t}: size and alignment {plain[2 * i : 2 * i + 2]}, with AVX-512 {wide[2 * i : 2 * i + 2]}")
    flags = "library_was_compiled_with_other_vector_flags"  # the one symbol that is meant to differ
    named = [{s for s in of if flags not in s} for of in (symbols, wide_symbols)]
    complaints += [f"asked for with some flags only: {s}" for s in sorted(named[0] ^ named[1])]
    complaints += [f"a vector type in {s}" for s in sorted(named[1]) if "__vector" in s or "LanesOf" in s or "Triple" in s]
    print(f"{len(headers)} headers, {len(types)} types, {len(named[0])} symbols")

print("\n".join(complaints))
sys.exit(1 if complaints else 0)
