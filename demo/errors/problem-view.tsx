import { describeError } from './describe-error.ts';
import { HexView, type LoadBytes } from './hex-view.tsx';

interface ProblemViewProps {
  error: unknown;
  /** The contender that failed. */
  by?: string;
  loadBytes?: LoadBytes;
}

/** Shows the description of an error. */
export function ProblemView({ error, by, loadBytes }: ProblemViewProps) {
  const { title, text, details, hint, offset } = describeError(error, by);
  return (
    <div class="problem" role="alert">
      <h3>{title}</h3>
      <p>{text}</p>
      {details.length > 0 && (
        <dl class="problem-details">
          {details.map(({ label, value }) => (
            <>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      )}
      {offset !== undefined && loadBytes && <HexView offset={offset} loadBytes={loadBytes} />}
      {hint && <p>{hint}</p>}
    </div>
  );
}
