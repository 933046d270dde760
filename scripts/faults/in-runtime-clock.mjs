// The clock as the product sees it, off by as much as the harness says. It covers Date: what the product writes down, counts
// by and compares. Timers within one wait (setTimeout) keep the machine's pace, as they do where a clock is stepped.
export const RealDate = globalThis.Date;

let offsetMs = 0;
let alarmSpeed = 1;

export function setClock(ms, speed = alarmSpeed) {
  offsetMs = ms;
  alarmSpeed = speed;
}

export const clock = () => RealDate.now() + offsetMs;

/** When an alarm is to come by the machine's clock: as far off as it is by ours, divided by how much sooner alarms come. */
export const toRealTime = (at) => RealDate.now() + Math.max(0, at - clock()) / alarmSpeed;
export const atProductTime = (at) => clock() + (at - RealDate.now()) * alarmSpeed;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [clock()] : given),
  apply: () => new RealDate(clock()).toString(),
  get: (target, name) => (name === 'now' ? clock : Reflect.get(target, name, target)),
});
