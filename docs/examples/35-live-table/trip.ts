/** A record of the list that the server sends. */
export interface Trip {
  id: number;
  station: string;
  minutes: number;
  member: boolean;
}

/** The server's answer. */
export interface Trips {
  trips: Trip[];
}
