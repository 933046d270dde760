import { describe, expect, test } from 'vitest';
import { handleFileDrops } from '../../../../src/islands/character-form/use-file-drop.ts';

/** A page with one drop target. @param field whether the target is a file field */
function page(field = false) {
  const accepted: string[] = [];
  const place = Object.assign(new EventTarget(), { closest: () => (field ? place : null) });
  const end = handleFileDrops(place, ({ name }) => accepted.push(name));
  const dispatch = (type: string, types: string[], files: File[] = []) => {
    const event = Object.assign(new Event(type, { cancelable: true }), { dataTransfer: { types, files } });
    place.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { accepted, end, dispatch };
}
const CARD = new File(['{}'], 'mira.json');

describe('Dropped files', () => {
  test('a dropped file is accepted and never opened by the browser', () => {
    const { accepted, dispatch, end } = page();
    expect(dispatch('dragover', ['Files'])).toBe(true);
    expect(dispatch('drop', ['Files'], [CARD])).toBe(true);
    expect(dispatch('drop', ['Files'])).toBe(true);
    expect(accepted).toEqual(['mira.json']);
    end();
    expect(dispatch('drop', ['Files'], [CARD])).toBe(false);
  });

  test('a file dropped on the picture field is left to that field', () => {
    const { accepted, dispatch } = page(true);
    expect(dispatch('drop', ['Files'], [CARD])).toBe(true);
    expect(accepted).toEqual([]);
  });

  test('dragged text is ignored', () => {
    const { accepted, dispatch } = page();
    expect([dispatch('dragover', ['text/plain']), dispatch('drop', ['text/plain'])]).toEqual([false, false]);
    expect(accepted).toEqual([]);
  });
});
