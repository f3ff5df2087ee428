/** One figure. */
export interface Tile {
  label: string;
  value: string;
  /** Class that colors the value. */
  level?: string;
}

/** A row of large figures. */
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
