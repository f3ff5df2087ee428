/** A record of the list that the examples' server has at `/trips`. */
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
