// Prints by country the helplines and emergency numbers of data/helplines.json that have not been checked against a page
// yet: those whose `source` is null. Plain JavaScript for Node 20.
//
//   npm run helplines:check          all countries
//   npm run helplines:check -- US GB these countries
import { readFileSync } from 'node:fs';

const { lines, emergency } = JSON.parse(
  readFileSync(new URL('../data/helplines.json', import.meta.url), 'utf8'),
);
const asked = process.argv.slice(2).map((country) => country.toUpperCase());
const inScope = lines.filter(({ country }) => asked.length === 0 || asked.includes(country));
const unchecked = inScope.filter(({ source }) => source === null);
const names = new Intl.DisplayNames(['en'], { type: 'region' });

for (const country of new Set(unchecked.map((line) => line.country))) {
  const entries = unchecked.filter((line) => line.country === country);
  console.log(`\n${names.of(country)} (${country})`);
  for (const { name, phone, then, text, hours, url, note } of entries) {
    const ways = [
      phone === null ? null : `call ${phone}${then === null ? '' : `, then press ${then}`}`,
      text === null ? null : `text ${text.word === null ? '' : `${text.word} to `}${text.number}`,
      `hours: ${hours}`,
      url,
    ];
    console.log(`  ${name}: ${ways.filter((way) => way !== null).join('; ')}`);
    if (note !== null) console.log(`    ${note}`);
  }
}
const numbers = Object.entries(emergency.numbers).filter(
  ([country]) => asked.length === 0 || asked.includes(country),
);
if (emergency.source === null && numbers.length > 0) {
  console.log(
    `\nEmergency numbers: ${numbers.map(([country, number]) => `${country} ${number}`).join(', ')}`,
  );
}
console.log(`\nTo check: ${unchecked.length} of ${inScope.length} helplines.`);
