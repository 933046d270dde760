import { describe, expect, test } from 'vitest';
import { handleFileDrops } from '../../src/islands/character-form/use-file-drop.ts';

/** A page on which everything is dropped at one place. @param field whether that is a field with files of its own */
function page(field = false) {
  const taken: string[] = [];
  const place = Object.assign(new EventTarget(), { closest: () => (field ? place : null) });
  const end = handleFileDrops(place, ({ name }) => taken.push(name));
  const happens = (type: string, types: string[], files: File[] = []) => {
    const event = Object.assign(new Event(type, { cancelable: true }), { dataTransfer: { types, files } });
    place.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { taken, end, happens };
}
const CARD = new File(['{}'], 'mira.json');

describe('A file that I drop on the form', () => {
  test('never opens in its place, and is taken', () => {
    const { taken, happens, end } = page();
    expect(happens('dragover', ['Files'])).toBe(true);
    expect(happens('drop', ['Files'], [CARD])).toBe(true);
    expect(happens('drop', ['Files'])).toBe(true);
    expect(taken).toEqual(['mira.json']);
    end();
    expect(happens('drop', ['Files'], [CARD])).toBe(false);
  });

  test('on the picture is the picture’s', () => {
    const { taken, happens } = page(true);
    expect(happens('drop', ['Files'], [CARD])).toBe(true);
    expect(taken).toEqual([]);
  });

  test('is nothing else that I drag, such as a text', () => {
    const { taken, happens } = page();
    expect([happens('dragover', ['text/plain']), happens('drop', ['text/plain'])]).toEqual([false, false]);
    expect(taken).toEqual([]);
  });
});
