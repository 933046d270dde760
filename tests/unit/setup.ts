import fc from 'fast-check';
import { SEED } from '../support/random.ts';

// Nobody's change is to fail by a case that nobody had met before. They are looked for with `SEARCH_MS=1 vitest run …`.
if (process.env.SEARCH_MS === undefined) fc.configureGlobal({ seed: SEED });
