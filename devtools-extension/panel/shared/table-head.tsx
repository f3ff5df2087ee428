/** Heads of a table's columns. Those of numbers are on the right. */
export function TableHead({ columns }: { columns: readonly { label: string; isNumber?: boolean }[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ label, isNumber }) => (
          <th scope="col" class={isNumber ? 'number' : undefined} key={label}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
