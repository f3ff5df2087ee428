// The districts of the stations: two sets of crossing streets, and the positions of their crossings.
//
// All names are Latin-1: a single other character would make a whole JSON payload a two-byte string, which slows
// `JSON.parse` down.

/**
 * @typedef {object} District
 * @property {number} stations number of stations
 * @property {number} popularity weight of the district's stations relative to other districts
 * @property {readonly [number, number]} origin latitude and longitude of the first crossing
 * @property {number} bearing direction of the avenues, degrees east of north
 * @property {readonly [number, number]} spacing metres between streets, metres between avenues
 * @property {readonly string[]} avenues
 * @property {readonly string[]} streets
 * @property {(street: string, avenue: string, avenueIndex: number) => string} corner the station's name
 * @property {readonly string[]} landmarks stations with special names, among the busiest of the district
 * @property {readonly string[]} idPrefixes empty: ids of the form `5329.03`; otherwise `HB101`
 */

/** @param {string} text */
const words = (text) => text.split(',').map((word) => word.trim());

/**
 * @param {number} from
 * @param {number} to
 */
const numbered = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => `${from + index} St`);

const manhattanAvenues = words(
  'Ave C, Ave A, 1 Ave, 2 Ave, 3 Ave, Lexington Ave, Park Ave, Madison Ave, 5 Ave, 6 Ave, 7 Ave, 8 Ave, 9 Ave, 10 Ave, 11 Ave',
);
const FIFTH_AVENUE = manhattanAvenues.indexOf('5 Ave');

/** @type {readonly District[]} */
export const districts = [
  {
    stations: 780,
    popularity: 1,
    origin: [40.7243, -73.9725],
    bearing: 29,
    spacing: [80, -190],
    avenues: manhattanAvenues,
    streets: numbered(2, 128),
    corner: (street, avenue, index) => `${index < FIFTH_AVENUE ? 'E' : 'W'} ${street} & ${avenue}`,
    landmarks: words(
      `Pershing Square North, Grand Army Plaza & Central Park S, Broadway & W 58 St, West St & Chambers St,
      University Pl & E 14 St, St Mark's Pl & 1 Ave, Hudson River Greenway, South End Ave & Liberty St, Allen St & Hester St,
      Central Park S & 6 Ave, Dag Hammarskjöld Plaza, Café Loup - W 13 St, Strivers' Row & W 138 St, José Martí Plaza,
      Vietnam Veterans' Plaza, Soldiers' & Sailors' Monument, Roosevelt Island Tramway, Governors Island - Yankee Ferry`,
    ),
    idPrefixes: [],
  },
  {
    stations: 650,
    popularity: 0.4,
    origin: [40.6602, -74.0071],
    bearing: 42,
    spacing: [150, 210],
    avenues: words(
      `3 Ave, 4 Ave, 5 Ave, 7 Ave, Prospect Park West, Smith St, Court St, Hoyt St, Bond St, Nevins St, Bedford Ave,
      Franklin Ave, Nostrand Ave, Marcy Ave, Tompkins Ave, Throop Ave, Lewis Ave, Stuyvesant Ave, Driggs Ave, Wythe Ave,
      Union Ave, Graham Ave, Manhattan Ave, Kingston Ave, Albany Ave, Utica Ave, Troy Ave, Classon Ave, Vanderbilt Ave`,
    ),
    streets: words(
      `Carroll St, President St, Union St, Degraw St, Baltic St, Warren St, Pacific St, Dean St, Bergen St, St Mark's Ave,
      Prospect Pl, Park Pl, Sterling Pl, St John's Pl, Lincoln Pl, Eastern Pkwy, Fulton St, Halsey St, Hancock St, Jefferson Ave,
      Putnam Ave, Madison St, Monroe St, Gates Ave, Greene Ave, Lafayette Ave, DeKalb Ave, Willoughby Ave, Myrtle Ave,
      Kosciuszko St, Flushing Ave, Broadway, Grand St, Metropolitan Ave, N 6 St, N 12 St, Nassau Ave, Greenpoint Ave`,
    ),
    corner: (street, avenue) => `${street} & ${avenue}`,
    landmarks: words(`Brooklyn Bridge Park - Pier 2, Barclays Center, Grand Army Plaza & Plaza St West, Peña Garden & Graham Ave`),
    idPrefixes: [],
  },
  {
    stations: 350,
    popularity: 0.3,
    origin: [40.7421, -73.9571],
    bearing: 20,
    spacing: [160, 180],
    avenues: [...numbered(11, 14), ...numbered(21, 24), ...numbered(30, 49)],
    streets: words(
      `Borden Ave, 47 Ave, 46 Rd, 45 Ave, 44 Dr, 43 Ave, Queens Plaza S, 41 Ave, 40 Ave, 38 Ave, 37 Ave, 36 Ave, 35 Ave,
      34 Ave, 33 Rd, Broadway, 31 Rd, 31 Ave, 30 Dr, 30 Ave, 28 Ave, 25 Ave, 24 Ave, Astoria Blvd, Ditmars Blvd, 21 Ave`,
    ),
    corner: (street, avenue) => `${avenue} & ${street}`,
    landmarks: words(`Hunter's Point South, Queensbridge Park, Plaza Colón & 37 Ave`),
    idPrefixes: [],
  },
  {
    stations: 240,
    popularity: 0.18,
    origin: [40.8056, -73.9284],
    bearing: 25,
    spacing: [110, 220],
    avenues: words(
      `Gerard Ave, Walton Ave, Grand Concourse, Sheridan Ave, Morris Ave, Park Ave, 3 Ave, Washington Ave, Brook Ave,
      St Ann's Ave, Jackson Ave, Prospect Ave, Southern Blvd`,
    ),
    streets: numbered(134, 196),
    corner: (street, avenue) => `E ${street} & ${avenue}`,
    landmarks: words(`Yankee Stadium, Plaza Borinqueña & E 138 St`),
    idPrefixes: [],
  },
  {
    stations: 80,
    popularity: 0.25,
    origin: [40.7119, -74.0462],
    bearing: 12,
    spacing: [140, 130],
    avenues: words('Warren St, Grove St, Jersey Ave, Monmouth St, Brunswick St, Washington St, Hudson St, Clinton St'),
    streets: words(
      `Essex St, Grand St, York St, Montgomery St, Mercer St, Columbus Dr, Newark Ave, 1 St, 2 St, 4 St, 6 St, 8 St, 10 St,
      11 St, 14 St, Observer Hwy, Marshall St, Mama Johnson Field`,
    ),
    corner: (street, avenue) => `${avenue} & ${street}`,
    landmarks: words(`Grove St PATH, Newport PATH, Luis Muñoz Marín Blvd, Hoboken Terminal - River St & Hudson Pl`),
    idPrefixes: ['JC', 'HB'],
  },
];
