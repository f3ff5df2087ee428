@0xb1a6c2f0e8d37c45;

struct Point { x @0 :Float64; y @1 :Float64; z @2 :Float64; }

struct Numbers { items @0 :List(Point); }
