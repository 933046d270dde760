// The product's clock, with an offset that the harness sets. It covers Date. Timers keep the machine's pace, as they do on a
// machine whose clock is stepped.
export const RealDate = globalThis.Date;

let offsetMs = 0;
let alarmSpeed = 1;

export function setClock(ms, speed = alarmSpeed) {
  offsetMs = ms;
  alarmSpeed = speed;
}

export const clock = () => RealDate.now() + offsetMs;

/** Converts the time of an alarm to the machine's clock: alarms fire sooner by `alarmSpeed`. */
export const toRealTime = (at) => RealDate.now() + Math.max(0, at - clock()) / alarmSpeed;
export const atProductTime = (at) => clock() + (at - RealDate.now()) * alarmSpeed;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [clock()] : given),
  apply: () => new RealDate(clock()).toString(),
  get: (target, name) => (name === 'now' ? clock : Reflect.get(target, name, target)),
});
