'use client';

import { useEffect, useState } from 'react';
import { createDecoder, type Rows } from 'unspool';

interface Trip {
  id: number;
  station: string;
}

const decoder = createDecoder();

export default function TripsList() {
  const [trips, setTrips] = useState<Rows<Trip>>();
  useEffect(() => {
    const controller = new AbortController();
    const load = async (): Promise<void> => {
      const response = await decoder.fetch('/trips', { signal: controller.signal });
      setTrips((await response.rows<{ trips: Trip[] }>()).trips);
    };
    load().catch((error: unknown) => {
      if (!controller.signal.aborted) console.error(error);
    });
    return () => controller.abort();
  }, []);
  return <ul>{trips && [...trips.slice(0, 50)].map(({ id, station }) => <li key={id}>{station}</li>)}</ul>;
}
