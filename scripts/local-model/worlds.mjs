import { anywhere } from './worlds/anywhere.mjs';
import { city } from './worlds/city.mjs';
import { everyday } from './worlds/everyday.mjs';
import { gothic } from './worlds/gothic.mjs';
import { hearth } from './worlds/hearth.mjs';
import { realm } from './worlds/realm.mjs';
import { road } from './worlds/road.mjs';
import { sea } from './worlds/sea.mjs';
import { space } from './worlds/space.mjs';
import { study } from './worlds/study.mjs';
import { wild } from './worlds/wild.mjs';

/**
 * A setting.
 * @typedef {object} World
 * @property {RegExp} cues words that point to it
 * @property {string[]} things small things that may lie about, with "the"; also `fixtures`, `paths` (ways out) and `people`
 * @property {string[]} fixtures
 * @property {string[]} paths
 * @property {string[]} people
 * @property {string[]} air what can be seen and heard meanwhile
 * @property {string[]} where answers to "where are we?"
 * @property {string[][]} tales stories of two or three sentences
 * @property {Thread | null} thread
 *
 * A small plot in six steps: `sign`, `near` and `turn` (which asks for a choice), `out` (one for each of the two options and one
 * for neither), `reveal` and `quiet`; each with what is seen and, under the same name with "Say", what is said about it.
 * @typedef {Record<string, string | string[] | RegExp[]>} Thread
 */

const WORLDS = [sea, space, realm, study, hearth, city, wild, gothic, everyday, road];
/** One cue alone may be chance; the same one twice, or two different ones, are not. */
const LEAST_WEIGHT = 1.6;

/**
 * The setting that a character's texts point to most.
 * @param {{traits: string, firstMessage: string, tagline: string}} scene
 * @returns {World}
 */
export function worldOf(scene) {
  // The tagline is the shortest text and the most meant, so it counts twice.
  const text = `${scene.traits}\n${scene.firstMessage}\n${scene.tagline}\n${scene.tagline}`;
  let best = anywhere;
  let most = LEAST_WEIGHT;
  for (const world of WORLDS) {
    const found = (text.match(world.cues) ?? []).map((word) => word.toLowerCase());
    const weight = new Set(found).size + found.length / 3;
    if (weight > most) [best, most] = [world, weight];
  }
  return best;
}
