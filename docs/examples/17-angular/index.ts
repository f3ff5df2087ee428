import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import { createApplication } from '@angular/platform-browser';
import { firstValueFrom } from 'rxjs';
import { decodeInterceptor } from './decode-interceptor.ts';
import type { Trip } from './trip.ts';

export async function loadTrips(url: string): Promise<Trip[]> {
  const { injector } = await createApplication({ providers: [provideHttpClient(withInterceptors([decodeInterceptor]))] });
  const { trips } = await firstValueFrom(injector.get(HttpClient).get<{ trips: Trip[] }>(url));
  return trips;
}
