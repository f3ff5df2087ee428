import { CallError } from '../../../core/errors.ts';

/** An error that a service reports, instead of an answer or in the middle of one. The message is the service's. */
export class ServiceError extends CallError {
  override name = 'ServiceError';
  /**
   * The service's word for the error, such as `rate_limit_exceeded` or `overloaded_error`; `refusal` for a model that refused
   * instead of giving a value; `unknown` if the service names none.
   */
  readonly code: string;
  /** The HTTP status of the error, if there is one. */
  readonly status: number | undefined;

  constructor(code: string, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** An error as services write it. Each has some of these. */
export interface ErrorBody {
  readonly code?: string | number | null;
  readonly status?: string;
  readonly type?: string;
  readonly message?: string;
}

/** The error of a service. `status` is that of its response. */
export function serviceError(body: ErrorBody | string, status?: number): ServiceError {
  const { code, status: state, type, message }: ErrorBody = typeof body === 'string' ? { message: body } : body;
  const named = [code, state, type].find((word) => typeof word === 'string' && word !== '') ?? code ?? 'unknown';
  const own = Number(code);
  return new ServiceError(String(named), message ?? 'the service reports an error', status ?? (own >= 400 && own < 600 ? own : undefined));
}
