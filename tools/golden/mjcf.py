"""What MuJoCo makes of models in MJCF: python3 tools/golden/mjcf.py --out tests/golden/mjcf FILE.xml…

For each file, at five seeded configurations on its equalities (Newton's method with MuJoCo's own residuals and Jacobians closes them): mass
matrix, bias force, passive force, poses of sites, rows of the equalities and moments of the actuators. Geoms with meshes are taken out of
the model before, so that their files need not be there: every body with one must have an <inertial>.
"""

import argparse
import json
import pathlib
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

SEED = 20250
CONFIGURATIONS = 5


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return f"{value:016x}"


def without_meshes(path):
    root = ET.parse(path).getroot()
    if not root.findall(".//asset/mesh"):
        return mujoco.MjModel.from_xml_path(str(path))
    for asset in root.findall("asset"):
        for mesh in asset.findall("mesh"):
            asset.remove(mesh)
    for body in root.iter("body"):
        for geom in [g for g in body.findall("geom") if g.get("mesh")]:
            body.remove(geom)
    return mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))


def joint_names(model):
    """Of those without a name, as our reader calls them."""
    names = []
    for j in range(model.njnt):
        body = model.joint(j).bodyid[0]
        of_body = [k for k in range(model.njnt) if model.joint(k).bodyid[0] == body]
        generated = f"{model.body(body).name} joint" + (f" {of_body.index(j) + 1}" if len(of_body) > 1 else "")
        names.append(model.joint(j).name or generated)
    return names


def equality_rows(model, data):
    """Residuals and Jacobian."""
    count = data.ne
    J = np.array(data.efc_J).reshape(-1)[: data.nefc * model.nv].reshape(data.nefc, model.nv)
    return np.array(data.efc_pos[:count]), J[:count].copy()


def close(model, data, qpos):
    """The qpos on the equalities, or None."""
    for _ in range(200):
        data.qpos[:] = qpos
        mujoco.mj_forward(model, data)
        phi, J = equality_rows(model, data)
        if phi.size == 0 or np.abs(phi).max() < 2e-15:
            return qpos
        step = -np.linalg.lstsq(J, phi, rcond=1e-10)[0]
        if np.abs(step).max() > 0.3:
            step *= 0.3 / np.abs(step).max()
        before = qpos.copy()
        mujoco.mj_integratePos(model, qpos, step, 1.0)
        if np.abs(qpos - before).max() < 1e-16:
            break
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    return qpos if np.abs(equality_rows(model, data)[0]).max() < 1e-13 else None


def moments(model, data):
    out = np.zeros((model.nu, model.nv))
    if model.nu:
        mujoco.mju_sparse2dense(out, data.actuator_moment.reshape(-1), data.moment_rownnz, data.moment_rowadr,
                                data.moment_colind.reshape(-1))
    return out


def configuration(model, data, rng):
    for attempt in range(200):
        qpos = model.qpos0.copy()
        mujoco.mj_integratePos(model, qpos, rng.uniform(-1, 1, model.nv), 0.6 / (1 + attempt // 10))
        mujoco.mj_normalizeQuat(model, qpos)
        qpos = close(model, data, qpos)
        if qpos is not None:
            break
    else:
        raise SystemExit("no closed configuration found")
    data.qpos[:] = qpos
    data.qvel[:] = rng.uniform(-1, 1, model.nv)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, M, data.qM) if hasattr(data, "qM") else mujoco.mj_fullM(model, data, M)
    _, J = equality_rows(model, data)
    return {
        "qpos": list(data.qpos), "qvel": list(data.qvel),
        "M": [list(M[i, : i + 1]) for i in range(model.nv)],
        "bias": list(data.qfrc_bias), "passive": list(data.qfrc_passive),
        "sites": {model.site(s).name: {"p": list(data.site_xpos[s]), "R": list(data.site_xmat[s])}
                  for s in range(model.nsite) if model.site(s).name},
        "equalities": [list(row) for row in J],
        "moments": [list(row) for row in moments(model, data)],
    }


def golden(path):
    model = without_meshes(path)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    for flag in ("CONTACT", "LIMIT", "FRICTIONLOSS"):
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}")
    data = mujoco.MjData(model)
    rng = np.random.default_rng(SEED)
    return {
        "origin": {"engine": "MuJoCo", "version": mujoco.__version__, "script": "tools/golden/mjcf.py", "seed": SEED},
        "model": {"file": path.name, "hash": fnv1a(path.read_bytes())},
        "joints": [{"name": name, "q": int(model.jnt_qposadr[j]), "v": int(model.jnt_dofadr[j])}
                   for j, name in enumerate(joint_names(model))],
        "actuators": [model.actuator(a).name for a in range(model.nu)],
        "configurations": [configuration(model, data, rng) for _ in range(CONFIGURATIONS)],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    for file in arguments.files:
        text = json.dumps(golden(file), indent=None, separators=(",", ":"))
        (arguments.out / f"{file.stem}.json").write_text(text.replace(',"', ',\n"').replace("],[", "],\n[") + "\n")
        print(file.stem)
