/** What the examples' server has a list of, at `/trips`. */
export interface Trip {
  id: number;
  station: string;
  minutes: number;
  member: boolean;
}

/** What it answers. */
export interface Trips {
  trips: Trip[];
}
