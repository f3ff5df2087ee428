@0xe6b9a1c0d4f27a31;

enum RideableType { electricBike @0; classicBike @1; }
enum MemberCasual { member @0; casual @1; }

struct Trip {
  rideId @0 :Text;
  rideableType @1 :RideableType;
  # Milliseconds since 1970, as if the times were in UTC.
  startedAt @2 :Int64;
  endedAt @3 :Int64;
  startStationName @4 :Text;
  startStationId @5 :Text;
  # Null where the trip did not end at a station.
  endStationName @6 :Text;
  endStationId @7 :Text;
  startLat @8 :Float64;
  startLng @9 :Float64;
  # Not a number where it is not known.
  endLat @10 :Float64;
  endLng @11 :Float64;
  memberCasual @12 :MemberCasual;
}

struct Trips { trips @0 :List(Trip); }
