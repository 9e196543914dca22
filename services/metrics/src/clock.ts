/** The only source of "now", so that tests and the simulated exchange can stand at any time. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
