// Start times of trips, and times as text. Milliseconds count from the first day of the data.

const FIRST_DAY = Date.UTC(2024, 5, 1);
const DAY = 86_400_000;
/** A million trips in 30 days. */
const MEAN_GAP = 2592;
/** Trips by hour of the day, midnight first. */
const HOURLY = [14, 9, 6, 4, 4, 9, 25, 48, 68, 52, 46, 51, 58, 60, 63, 69, 78, 96, 92, 70, 51, 40, 32, 23];

/**
 * @returns {{ startOf(index: number, bits: number): number, text(time: number): string }}
 */
export function createTimetable() {
  const total = HOURLY.reduce((sum, weight) => sum + weight, 0);
  /** Share of the trips of a day that started before each hour. */
  const before = [0];
  HOURLY.forEach((weight, hour) => before.push(before[hour] + weight / total));

  const minutes = Array.from({ length: 1440 }, (_, minute) => ` ${pad(Math.floor(minute / 60))}:${pad(minute % 60)}:`);
  const seconds = Array.from({ length: 60 }, (_, second) => `${pad(second)}.`);
  const milliseconds = Array.from({ length: 1000 }, (_, value) => pad(value, 3));
  /** @type {string[]} */
  const days = [];

  return {
    /** Start of trip `index`: follows the hours of the day, plus up to 90 random seconds. */
    startOf(index, bits) {
      const even = index * MEAN_GAP;
      const day = Math.floor(even / DAY);
      const share = (even - day * DAY) / DAY;
      let hour = 0;
      while (before[hour + 1] <= share) hour++;
      const from = before[hour];
      const part = (share - from) / (before[hour + 1] - from);
      return day * DAY + Math.floor((hour + part) * 3_600_000) + (bits % 90_000);
    },
    /** `YYYY-MM-DD HH:MM:SS.mmm` */
    text(time) {
      const day = Math.floor(time / DAY);
      const rest = time - day * DAY;
      const date = (days[day] ??= new Date(FIRST_DAY + day * DAY).toISOString().slice(0, 10));
      const inMinute = rest % 60_000;
      return date + minutes[Math.floor(rest / 60_000)] + seconds[Math.floor(inMinute / 1000)] + milliseconds[inMinute % 1000];
    },
  };
}

/**
 * @param {number} value
 * @param {number} [width]
 */
function pad(value, width = 2) {
  return String(value).padStart(width, '0');
}
