interface ProgressProps {
  label: string;
  /** From 0 to 1; undefined if unknown. */
  fraction?: number | undefined;
}

export function Progress({ label, fraction }: ProgressProps) {
  const percent = fraction === undefined ? undefined : Math.round(fraction * 100);
  return (
    <div
      class={percent === undefined ? 'progress progress-unknown' : 'progress'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== undefined && { 'aria-valuenow': percent })}
    >
      {percent !== undefined && <div style={{ width: `${percent}%` }} />}
    </div>
  );
}
