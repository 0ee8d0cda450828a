// Materials whose colours come from the style sheet and follow the theme.

import { type Color, type Material, MeshLambertMaterial } from "three";
import { css_color, on_theme_change } from "../theme";

export function themed<M extends Material & { color: Color }>(material: M, name: string): M {
  const paint = () => material.color.set(css_color(name));
  on_theme_change(paint);
  paint();
  return material;
}

/// Matt, as machined and painted parts look.
export function solid(name: string): MeshLambertMaterial {
  return themed(new MeshLambertMaterial(), name);
}
