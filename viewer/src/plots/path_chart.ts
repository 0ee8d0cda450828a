// A path in a plane: y against x in the order of the points, one metre as long along x as along y.

import uPlot from "uplot";
import { Retrace } from "../retrace";
import { axis } from "./axes";
import type { Look } from "./look";
import { with_unit, type Sheet } from "./sheet";
import type { ChartEvents, Size } from "./chart";

interface Bounds { x: [number, number]; y: [number, number] }

export function path_chart_of(sheet: Sheet, looks: Look[], size: Size, events: ChartEvents): uPlot {
  const bounds = bounds_of(sheet);
  let part = bounds; // what the reader has zoomed to
  const seen = (u: uPlot) => equal_scales(part, u.bbox.width / u.bbox.height || 1);
  const look_at = (u: uPlot, wanted: Bounds) => {
    part = wanted;
    const { x, y } = seen(u);
    u.setScale("x", { min: x[0], max: x[1] });
    u.setScale("y", { min: y[0], max: y[1] });
  };
  const options: uPlot.Options = {
    ...size,
    mode: 2,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    scales: { x: { time: false, range: (u) => seen(u).x }, y: { range: (u) => seen(u).y } },
    axes: [axis("x", null, with_unit(sheet.x.label, sheet.x.unit)), axis("y", null, null)],
    series: [{} as uPlot.Series, ...looks.map((look, i) => series(sheet.curves[i].name, look))],
    cursor: {
      points: { show: false },
      drag: { x: true, y: true, dist: 5, setScale: false },
      bind: { dblclick: (u) => () => (look_at(u, bounds), null) },
    },
    hooks: {
      ready: [(u) => look_at(u, part)],
      setSize: [(u) => look_at(u, part)],
      setScale: [() => events.rescaled()],
      setCursor: [(u) => events.hover((u.cursor.left ?? -1) < 0 ? null : u.posToVal(u.cursor.left!, "x"))],
      setSelect: [(u) => {
        const { left, top, width, height } = u.select;
        if (width < 5 || height < 5) return;
        look_at(u, {
          x: [u.posToVal(left, "x"), u.posToVal(left + width, "x")],
          y: [u.posToVal(top + height, "y"), u.posToVal(top, "y")],
        });
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }],
    },
  };
  const data = [null, ...sheet.curves.map(({ x, y }) => [x, y])];
  return new uPlot(options, data as unknown as uPlot.AlignedData);
}

function series(label: string, look: Look): uPlot.Series {
  return {
    label,
    stroke: look.color,
    facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }],
    points: { show: false },
    paths: (u, index) => (draw(u, index, look), null),
  } as uPlot.Series;
}

function draw(u: uPlot, index: number, look: Look): void {
  const [xs, ys] = u.data[index] as unknown as [Float64Array, Float32Array];
  const { ctx } = u;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.beginPath();
  const retrace = look.dash.length ? new Retrace(3 * scale) : null;
  let drawing = false;
  for (let i = 0; i < xs.length; ++i) {
    const x = u.valToPos(xs[i], "x", true);
    const y = u.valToPos(ys[i], "y", true);
    const gap = !Number.isFinite(x + y) || (retrace?.again(x, y) ?? false);
    if (look.line && !gap) drawing ? ctx.lineTo(x, y) : ctx.moveTo(x, y);
    if (look.markers && !gap) {
      ctx.moveTo(x + 3 * scale, y);
      ctx.arc(x, y, 3 * scale, 0, 2 * Math.PI);
      ctx.moveTo(x, y);
    }
    drawing = !gap;
  }
  ctx.strokeStyle = look.color();
  ctx.lineWidth = look.width * scale;
  ctx.setLineDash(look.dash.map((length) => length * scale));
  ctx.lineJoin = "round";
  ctx.stroke();
  ctx.restore();
}

function bounds_of(sheet: Sheet): Bounds {
  const range = (arrays: ArrayLike<number>[]): [number, number] => {
    let low = Infinity;
    let high = -Infinity;
    for (const array of arrays) {
      for (let i = 0; i < array.length; ++i) {
        if (array[i] < low) low = array[i];
        if (array[i] > high) high = array[i];
      }
    }
    return low <= high ? [low, high] : [0, 1];
  };
  return { x: range(sheet.curves.map(({ x }) => x)), y: range(sheet.curves.map(({ y }) => y)) };
}

// widens one of the two until a unit of x is as long as a unit of y, on paper of the given width / height
function equal_scales({ x, y }: Bounds, aspect: number): Bounds {
  const around = ([low, high]: [number, number], span: number): [number, number] => [(low + high - span) / 2, (low + high + span) / 2];
  const width = Math.max(x[1] - x[0], 1e-12) * 1.08;
  const height = Math.max(y[1] - y[0], 1e-12) * 1.08;
  const span = Math.max(width, height * aspect);
  return { x: around(x, span), y: around(y, span / aspect) };
}
