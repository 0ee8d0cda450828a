"""Robots with loops in URDF+ and in a YAML beside a URDF, against Pinocchio (tools/golden/loops.py). They are not in this repository."""

import json
from pathlib import Path

import numpy as np
import pytest

import pytrammel as tm

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / "shared" / "models"
GOLDEN = json.loads((ROOT / "tests/golden/loops.json").read_text())["robots"]


def fnv1a(content: bytes) -> str:
    value = 0xCBF29CE484222325
    for byte in content:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return f"{value:016x}"


@pytest.mark.parametrize("name", GOLDEN)
def test_accelerations_under_the_closures_of_files_are_pinocchios(name: str, tmp_path: Path) -> None:
    has_yaml = name.startswith("urdf_yaml")
    file = MODELS / (f"{name}/robot.urdf" if has_yaml else f"{name}.urdf")
    if not file.exists():
        pytest.skip("no folder shared/models beside this clone")
    golden = GOLDEN[name]
    assert fnv1a(file.read_bytes()) == golden["hash"]
    robot = {"file": str(file)} | ({"loops": str(file.with_suffix(".yaml"))} if has_yaml else {})
    scenario = tmp_path / "scenario.yaml"
    # none of the files has friction or damping
    scenario.write_text(json.dumps({"robot": robot, "initial": {"assemble": False}, "simulate": {"duration": 1, "drift": "none"}}))
    problem = tm.Scenario(scenario).problem()
    order = [problem.model.velocity_names.index(joint) for joint in golden["joints"]]
    for state in golden["states"]:
        q, v, vdot = np.zeros(problem.nq), np.zeros(problem.nv), np.zeros(problem.nv)
        q[order], v[order], vdot[order] = state["q"], state["v"], state["vdot"]
        now = problem.solve(q, v)
        assert now.rank == state["rank"]
        assert np.abs(now.vdot - vdot).max() < 1e-8 * max(1, np.abs(vdot).max())
