"""One study written three times: trammel sweep, Pinocchio and MuJoCo in Python. python bench/sweep_peers.py [--cases N] [--program TRAMMEL]

200 four-bars of varying lengths fall for 1 s in the vertical plane; of each, the greatest speed of the crank and ∫ω² dt over its records,
every 10 ms. All integrate by the classical Runge-Kutta method with steps of 1 ms; trammel besides as its scenarios do unless told otherwise, with
steps that follow a tolerance. The peers are written as their users write them: one model, whose numbers each case changes, and a loop in
Python; Pinocchio's loop closes by its constraint dynamics with stabilisation, MuJoCo's by soft rows at their stiffest that is stable.

Printed is the processor time of a case, the least of the turns, on one thread, and how far the greatest speeds are from those of trammel,
at the median and at the worst: soft rows are another model. Reading files, starting Python and importing do not count, of anyone.
Needs: pip install pin mujoco numpy.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import time

import mujoco
import numpy as np
import pinocchio as pin

STEP, STEPS, RECORD = 1e-3, 1000, 10  # s, in all, steps between records
GROUND, DAMPING, THICKNESS = 0.4, 0.02, 1e-5  # m, N·m·s/rad, kg·m² about a link's own axis

SCENARIO = """
trammel: 1
name: four-bar
constants: {crank: 0.15, rod: 0.4, rocker: 0.3, ground: 0.4}
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: crank, com: [crank/2, 0, 0], inertia: [1e-5, crank^3/12, crank^3/12]}
  rod: {mass: rod, com: [rod/2, 0, 0], inertia: [1e-5, rod^3/12, rod^3/12]}
  rocker: {mass: rocker, com: [rocker/2, 0, 0], inertia: [1e-5, rocker^3/12, rocker^3/12]}
joints:
  - {name: a, revolute: z, from: world, to: crank, damping: 0.02}
  - {name: b, revolute: z, from: crank, to: rod, at: {xyz: [crank, 0, 0]}, damping: 0.02}
  - {name: c, revolute: z, from: world, to: rocker, at: {xyz: [ground, 0, 0]}, damping: 0.02}
frames:
  of rod: {on: rod, at: {xyz: [rod, 0, 0]}}
  of rocker: {on: rocker, at: {xyz: [rocker, 0, 0]}}
constraints:
  - {name: loop, coincide: [of rod, of rocker], axes: xy}
initial: {q: {a: 60 deg, b: -50 deg, c: 80 deg}, assemble: {keep: [a]}}
simulate: {duration: 1 s}
record: {every: 10 ms}
"""
SWEEP = """
trammel: 1
scenario: scenario.yaml
vary:
  constants.crank: {uniform: [0.1, 0.2]}
  constants.rod: {uniform: [0.35, 0.45]}
  constants.rocker: {uniform: [0.25, 0.35]}
cases: CASES
seed: 5
measure:
  speed: max(abs(v.a))
  effort: integral(v.a^2)
"""


def closed(crank: float, rod: float, rocker: float) -> np.ndarray:
    """Angles of the joints a, b, c with the crank at 60°, the rocker's tip on the outer side."""
    tip = crank * np.array([np.cos(np.pi / 3), np.sin(np.pi / 3)])
    across = np.array([GROUND, 0]) - tip
    d = np.linalg.norm(across)
    along = (rod**2 - rocker**2 + d**2) / (2 * d)
    end = tip + along / d * across + np.sqrt(rod**2 - along**2) / d * np.array([-across[1], across[0]])
    b = np.arctan2(*(end - tip)[::-1]) - np.pi / 3
    return np.array([np.pi / 3, b, np.arctan2(end[1], end[0] - GROUND)])


def measured(speeds: list[float]) -> tuple[float, float]:
    of_crank = np.array(speeds)
    return float(np.abs(of_crank).max()), float(np.trapezoid(of_crank**2, dx=STEP * RECORD))


class Pinocchio:
    """Links of changing lengths: placements and inertias of the model are written anew for each case."""

    def __init__(self) -> None:
        self.model = pin.Model()
        self.model.gravity.linear[:] = [0, -9.81, 0]
        a = self.model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "a")
        self.model.addJoint(a, pin.JointModelRZ(), pin.SE3.Identity(), "b")
        self.model.addJoint(0, pin.JointModelRZ(), pin.SE3(np.eye(3), np.array([GROUND, 0, 0])), "c")
        self.model.armature[:] = 0

    def run(self, crank: float, rod: float, rocker: float) -> tuple[float, float]:
        model = self.model
        for joint, length in ((1, crank), (2, rod), (3, rocker)):
            inertia = np.diag([THICKNESS, length**3 / 12, length**3 / 12])
            model.inertias[joint] = pin.Inertia(length, np.array([length / 2, 0, 0]), inertia)
        model.jointPlacements[2] = pin.SE3(np.eye(3), np.array([crank, 0, 0]))
        tip = [pin.SE3(np.eye(3), np.array([length, 0, 0])) for length in (rod, rocker)]
        loop = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, 2, tip[0], 3, tip[1], pin.LOCAL)
        loop.m_baumgarte_parameters.Kp = 1e4
        loop.m_baumgarte_parameters.Kd = 200
        data, loops, loop_data = model.createData(), pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        loops.append(loop)
        loop_data.append(loop.createData())
        pin.initConstraintDynamics(model, data, loops, loop_data)
        # a plane loop leaves the third row without meaning: the proximal solver takes it
        settings = pin.ProximalSettings(1e-12, 1e-10, 10)
        q, v = closed(crank, rod, rocker), np.zeros(3)

        def rate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
            return pin.constraintDynamics(model, data, q, v, -DAMPING * v, loops, loop_data, settings).copy()

        speeds = [v[0]]
        for step in range(1, STEPS + 1):
            v1, a1 = v, rate(q, v)
            v2 = v + STEP / 2 * a1
            a2 = rate(q + STEP / 2 * v1, v2)
            v3 = v + STEP / 2 * a2
            a3 = rate(q + STEP / 2 * v2, v3)
            v4 = v + STEP * a3
            a4 = rate(q + STEP * v3, v4)
            q = q + STEP / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
            v = v + STEP / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            if step % RECORD == 0:
                speeds.append(v[0])
        return measured(speeds)


MJCF = """
<mujoco>
  <option timestep="0.001" integrator="RK4" gravity="0 -9.81 0" iterations="20" tolerance="1e-10"><flag contact="disable"/></option>
  <worldbody>
    <body name="crank"><joint name="a" axis="0 0 1" damping="0.02"/><inertial pos="0.5 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="rod" pos="1 0 0"><joint name="b" axis="0 0 1" damping="0.02"/><inertial pos="0.5 0 0" mass="1" diaginertia="1 1 1"/></body></body>
    <body name="rocker" pos="0.4 0 0"><joint name="c" axis="0 0 1" damping="0.02"/><inertial pos="0.5 0 0" mass="1" diaginertia="1 1 1"/></body>
  </worldbody>
  <equality><connect body1="rod" body2="rocker" anchor="1 0 0" solref="0.002 1" solimp="0.9999 0.9999 0.001"/></equality>
</mujoco>
"""


class Mujoco:
    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(MJCF)
        self.data = mujoco.MjData(self.model)

    def run(self, crank: float, rod: float, rocker: float) -> tuple[float, float]:
        model, data = self.model, self.data
        for body, length in ((1, crank), (2, rod), (3, rocker)):
            model.body_mass[body] = length
            model.body_ipos[body] = [length / 2, 0, 0]
            model.body_inertia[body] = [THICKNESS, length**3 / 12, length**3 / 12]
        model.body_pos[2] = [crank, 0, 0]
        mujoco.mj_setConst(model, data)
        model.eq_data[0, :6] = [rod, 0, 0, rocker, 0, 0]  # mj_setConst would put them where they are at qpos0
        mujoco.mj_resetData(model, data)
        data.qpos[:] = closed(crank, rod, rocker)
        speeds = [0.0]
        for _ in range(STEPS // RECORD):
            mujoco.mj_step(model, data, RECORD)
            speeds.append(data.qvel[0])
        return measured(speeds)


class Trammel:
    """`trammel sweep` on one thread."""

    def __init__(self, program: str, cases: int, folder: pathlib.Path, *settings: str) -> None:
        (folder / "scenario.yaml").write_text(SCENARIO)
        (folder / "study.yaml").write_text(SWEEP.replace("CASES", str(cases)))
        self.folder, self.cases = folder, cases
        self.words = [program, "sweep", folder / "study.yaml", "--threads", "1", "--quiet", "--out", folder / "out"]
        self.words += [word for item in settings for word in ("--set", item)]

    def seconds(self) -> float:
        """Of a case, without those of starting and reading, which a sweep of one case has too."""
        return (self._seconds() - self._seconds("--cases", "0..0")) / (self.cases - 1)

    def _seconds(self, *words: str) -> float:
        subprocess.run(["rm", "-rf", self.folder / "out"], check=True)
        child = subprocess.Popen([*self.words, *words])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        return usage.ru_utime + usage.ru_stime

    def table(self) -> list[dict[str, str]]:
        self._seconds()
        assert json.loads((self.folder / "out/sweep.json").read_text())["counts"] == {"finished": self.cases}
        with open(self.folder / "out/table.csv", newline="") as lines:
            return list(csv.DictReader(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--program", default="build/bin/trammel")
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with tempfile.TemporaryDirectory() as scratch:
        ways: dict[str, object] = {}
        for name, settings in (
            ("trammel sweep, rk4, 1 ms", ["simulate={duration: 1 s, integrator: rk4, step: 1 ms}"]),
            ("trammel sweep, as it is", []),
        ):
            folder = pathlib.Path(scratch) / str(len(ways))
            folder.mkdir()
            ways[name] = Trammel(options.program, options.cases, folder, *settings)
        ways["Pinocchio in Python, rk4, 1 ms"] = Pinocchio()
        ways["MuJoCo in Python, rk4, 1 ms"] = Mujoco()
        tables = {name: way.table() for name, way in ways.items() if isinstance(way, Trammel)}
        reference = tables["trammel sweep, rk4, 1 ms"]
        lengths = [tuple(float(row[f"constants.{link}"]) for link in ("crank", "rod", "rocker")) for row in reference]
        wanted = np.array([[float(row["speed"]), float(row["effort"])] for row in reference])
        taken: dict[str, list[float]] = {name: [] for name in ways}
        found = {name: np.array([[float(r["speed"]), float(r["effort"])] for r in table]) for name, table in tables.items()}
        for _ in range(options.turns):
            for name, way in ways.items():
                if isinstance(way, Trammel):
                    taken[name].append(way.seconds())
                    continue
                start = time.process_time()
                found[name] = np.array([way.run(*one) for one in lengths])  # type: ignore[attr-defined]
                taken[name].append((time.process_time() - start) / len(lengths))
        fastest = min(taken["trammel sweep, rk4, 1 ms"])
        print("| study | ms a case | beside trammel | speeds differ by, median | at worst |\n|---|---|---|---|---|")
        for name, times in taken.items():
            off = np.abs(found[name][:, 0] / wanted[:, 0] - 1)
            print(f"| {name} | {1e3 * min(times):.2f} | {min(times) / fastest:.2f} | {np.median(off):.1e} | {off.max():.1e} |")


if __name__ == "__main__":
    main()
