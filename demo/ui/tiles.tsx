/** One figure: what it is, and its value as text. */
export interface Tile {
  label: string;
  value: string;
  /** A class that colours the value. */
  level?: string;
}

/** Figures in a row, each large enough to read from afar. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(({ label, value, level = '' }) => (
        <div class="tile" key={label}>
          <dt>{label}</dt>
          <dd class={level}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
