// SQL over `i`, the number of a row from 1 on, that made-up data is written with.

export const DAY = 20_000;
export const AT = DAY * 86_400_000;
export const at = `${AT} + i * 1000`;
export const day = `${DAY} - i % 90`;
/** As long as real ids. */
export const id = (letter, number) => `printf('${letter}%025d', ${number})`;
/** One of so many, other than its neighbours'. */
export const one = (letter, count, stride = 7919) => id(letter, `(i * ${stride}) % ${count} + 1`);
/** A value in every so manyth row, and none in the others. */
export const some = (every, value) => `case when i % ${every} = 1 then ${value} end`;
/** Eight times so many characters. */
export const text = (words, times) =>
  `substr(replace(hex(zeroblob(${times})), '00', '${words} ' || i || ' '), 1, ${times * 8})`;
