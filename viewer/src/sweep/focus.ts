// The case that the reader looks at, and the cases within the limits that the reader has set; who wants to know when they change.

import type { Table } from "./table";

export type Limit = [number, number]; // from and to, both among them

export class Focus {
  row: number | null = null;
  readonly limits = new Map<number, Limit>(); // by column
  within: Uint8Array | null = null; // by row: 1 where all limits are met; null without limits
  count: number; // of rows within

  private listeners: (() => void)[] = [];

  constructor(readonly table: Table) {
    this.count = table.cases.length;
  }

  on_change(listener: () => void): void {
    this.listeners.push(listener);
  }

  pick(row: number | null): void {
    this.row = row;
    this.tell();
  }

  limit(column: number, limit: Limit | null): void {
    if (limit) this.limits.set(column, limit);
    else this.limits.delete(column);
    this.within = this.limits.size ? rows_within(this.table, this.limits) : null;
    this.count = this.within ? this.within.reduce((sum, one) => sum + one, 0) : this.table.cases.length;
    this.tell();
  }

  is_within(row: number): boolean {
    return !this.within || this.within[row] === 1;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

export function rows_within(table: Table, limits: Map<number, Limit>): Uint8Array {
  const out = new Uint8Array(table.cases.length).fill(1);
  for (const [column, [from, to]] of limits) {
    const { values } = table.columns[column];
    for (let row = 0; row < out.length; ++row) if (!(values[row] >= from && values[row] <= to)) out[row] = 0;
  }
  return out;
}
