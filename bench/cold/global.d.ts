/** The schema of trips, which the application has as a package of its own. */
declare module 'trips-schema' {
  export const trips: { proto: string; message: string };
}
