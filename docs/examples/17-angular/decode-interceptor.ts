import { HttpErrorResponse, type HttpHeaders, type HttpInterceptorFn, HttpResponse } from '@angular/common/http';
import { catchError, concatMap } from 'rxjs';
import { createDecoder } from 'unspool';

const decoder = createDecoder();

/**
 * Decodes the responses to requests for JSON in slices, in any format. Angular's backend would parse them in one task. An
 * interceptor keeps the backend, with its progress, credentials and tests.
 */
export const decodeInterceptor: HttpInterceptorFn = (request, next) => {
  if (request.responseType !== 'json') return next(request);
  const headers = request.headers.has('Accept') ? request.headers : request.headers.set('Accept', decoder.accept);
  return next(request.clone({ responseType: 'arraybuffer', headers })).pipe(
    concatMap(async (event) => (event instanceof HttpResponse ? event.clone({ body: await decode(event.body, event.headers) }) : event)),
    catchError(async (error: unknown) => {
      if (!(error instanceof HttpErrorResponse)) throw error;
      const { error: body, headers, status, statusText } = error;
      const decoded = await decode(body, headers).catch(() => new TextDecoder().decode(body as ArrayBuffer));
      throw new HttpErrorResponse({ error: decoded, headers, status, statusText, url: error.url ?? '' });
    }),
  );
};

async function decode(body: unknown, headers: HttpHeaders): Promise<unknown> {
  if (!(body instanceof ArrayBuffer)) return body;
  if (body.byteLength === 0) return null;
  return await decoder.decode(new Blob([body], { type: headers.get('Content-Type') ?? '' }));
}
