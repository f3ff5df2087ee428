/** Globals of the application's page. */
declare const app: import('unspool/register').AppServiceWorker;
declare const decoder: import('unspool').Decoder;
declare const other: import('unspool').Decoder;
declare const events: string[];
declare const controlled: Promise<unknown>;
