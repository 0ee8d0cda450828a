"""Meshes on the page, which a program beside the package reads: from threads and from processes of every kind."""

import multiprocessing
import pathlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import pytrammel as tm

READER = pathlib.Path(tm.__file__).parent / "libexec" / "trammel-mesh"
COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="9">0 0 0 100 0 0 0 100 0</float_array>
<technique_common><accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1" material="x"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>
"""
ROBOT = """<robot name="r"><link name="base"/>
<link name="flag"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="flag.dae"/></geometry></visual></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="flag"/><axis xyz="0 1 0"/></joint></robot>
"""


def leaves_meshes_out(robot: str) -> bool:
    page = tm.run({"robot": robot, "simulate": {"duration": 0.01}}).page()
    assert page
    return "left out of the picture" in page


@pytest.fixture
def robot(tmp_path: pathlib.Path) -> str:
    (tmp_path / "flag.dae").write_text(COLLADA)
    (tmp_path / "flag.urdf").write_text(ROBOT)
    return str(tmp_path / "flag.urdf")


@pytest.mark.skipif(not READER.exists(), reason="built without assimp")
def test_collada_is_shown_from_threads_and_processes(robot: str) -> None:
    assert not leaves_meshes_out(robot)
    with ThreadPoolExecutor(4) as threads:
        assert not any(threads.map(leaves_meshes_out, [robot] * 8))
    for method in ("fork", "spawn"):
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as processes:
            assert not processes.submit(leaves_meshes_out, robot).result()


def test_without_the_program_that_reads_them_they_are_left_out(robot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAMMEL_MESH_READER", "/nowhere")
    assert leaves_meshes_out(robot)
