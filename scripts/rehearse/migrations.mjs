// The migrations of D1 as they are applied: file by file, each in one piece.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/process.mjs';

const FOLDER = join(ROOT, 'migrations');

/** @typedef {{ name: string, text: string, statements: string[] }} Migration */

/** @returns {Migration[]} in the order in which they are applied */
export function migrations() {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      const statements = text
        .split('--> statement-breakpoint')
        .map((statement) => statement.trim())
        .filter((statement) => statement !== '');
      return { name, text, statements };
    });
}
