import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  MemoryEntryView,
  MemoryView,
} from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { extractMarks, createMemoryFixture, m } from '../../../../support/memory-fixture.ts';

test(
  'only the user changes their memory notes, and deleted messages leave no trace in memory',
  { timeout: 120_000 },
  async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('say' as const), n: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constant('turn' as const), n: fc.nat() }),
      fc.record({ do: fc.constant('turn' as const), n: fc.nat() }),
      fc.record({ do: fc.constantFrom('edit' as const, 'late' as const), n: fc.nat() }),
      fc.record({
        do: fc.constantFrom(
          'edit',
          'select',
          'delete',
          'restore',
          'erase',
          'correct',
          'write',
          'remove',
          'rewrite',
          'late',
          'forget',
        ),
        n: fc.nat(),
      }),
      // An outdated panel writes over, keeps or resubmits notes whose messages have gone.
      fc.record({
        do: fc.constantFrom('delete' as const, 'reword' as const, 'keep' as const, 'recall' as const),
        n: fc.nat(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        // The message in which each mark was written, in any version.
        const messageByMark = new Map<string, string>();
        const listMarks = (text: string): string[] => text.match(/#\w+/g) ?? [];
        /** Returns marks whose messages are deleted. */
        const listGoneMarks = (text: string): string[] => {
          const there = new Set(fixture.visible().map(({ id }) => id));
          return listMarks(text).filter((mark) => !there.has(messageByMark.get(mark) ?? ''));
        };
        const fixture = createMemoryFixture((messages) => {
          const promptText = messages.map(({ content }) => content).join('\n');
          expect(listGoneMarks(promptText)).toEqual([]);
          // Long enough that notes are sometimes merged.
          return promptText.includes('# Older notes')
            ? extractMarks(messages)
            : `${extractMarks(messages)} ${'And more of it. '.repeat(40)}`;
        });
        const ownNotes = new Map<string, { text: string; sources: string[] }>();
        const ground = new Map<string, string[]>();
        // Ids of notes with marks that the user adopted.
        const taken = new Set<string>();
        // The memory on a user's screen, which may be outdated.
        let seen: MemoryView = fixture.memory.getView();
        let clock = 0;
        const pick = <T>(items: readonly T[], n: number): T | undefined =>
          items[n % Math.max(1, items.length)];
        const recordOwnNotes = () => {
          ownNotes.clear();
          for (const { id, text } of fixture.sql.exec<{ id: string; text: string }>(
            "select id, text from memory_entries where author = 'person' and removed = 0 and text <> ''",
          )) {
            const sources = fixture.sql
              .exec<{ id: string }>(
                'select key as id from memory_entries, json_each(memory_entries.sources) where memory_entries.id = ?',
                id,
              )
              .toArray()
              .map((source) => source.id);
            expect(sources).toEqual(expect.arrayContaining(ground.get(id) ?? []));
            ownNotes.set(id, { text, sources });
          }
        };
        /** Corrects or keeps a note as the panel does, based on its possibly outdated view. */
        const writeOver = (entry: MemoryEntryView, text: string, withGround: boolean) => {
          const rests = withGround ? { rests_on: entry.source_message_ids } : {};
          const refusal = fixture.memory.applyChange(
            { entries: [{ id: entry.id, text, ...rests }], known: [] },
            clock,
          );
          const rows = new Set(fixture.rows().map(({ id }) => id));
          if (!entry.source_message_ids.every((id) => rows.has(id))) {
            if (withGround) expect(refusal).toEqual({ ok: false, code: 'memory_source_deleted' });
            return;
          }
          expect(refusal).toBeNull();
          if (withGround) takeNewest();
          else taken.add(entry.id);
          if (withGround)
            expect([...ownNotes.values()]).toContainEqual({
              text,
              sources: expect.arrayContaining(entry.source_message_ids),
            });
        };
        const takeNewest = () => {
          recordOwnNotes();
          for (const [id, { text }] of ownNotes) if (text.includes('#')) taken.add(id);
        };
        const say = (mark: string, n: number) =>
          messageByMark.set(mark, fixture.say(`${mark} ${'and so on '.repeat(n * 9)}`));
        // Most failures need some notes to begin with.
        for (let index = 0; index < 9; index += 1) say(`#f0x${index}`, 1);
        await fixture.turn(m(5));
        await fixture.turn(m(9));
        seen = fixture.memory.getView();
        for (const { do: what, n } of steps) {
          clock += 1;
          const message = pick(fixture.visible(), n);
          const { entries } = fixture.memory.getView();
          const entry = pick(entries, n);
          const current = entries.map(({ id, text }) => ({ id, text }));
          switch (what) {
            case 'say':
              for (let index = 0; index < n; index += 1) say(`#f${clock}x${index}`, n);
              break;
            case 'turn':
              // Read while the summarizer is still writing.
              if (n % 3 > 0) seen = fixture.memory.getView();
              await fixture.turn(message?.id ?? null);
              break;
            case 'edit':
              if (message) {
                messageByMark.set(`#e${clock}`, message.id);
                fixture.edit(message.id, `#e${clock} instead`);
              }
              break;
            case 'select':
              if (message)
                fixture.select(message.id, pick(fixture.listVersions(message.id), n) ?? message.versionId);
              break;
            case 'delete':
              if (message && n % 3 === 0) fixture.deleteFrom(message.id);
              break;
            case 'restore':
              fixture.restore();
              break;
            case 'erase':
              if (n % 2 === 0) {
                fixture.erase();
                const left = new Set(fixture.visible().map(({ id }) => id));
                for (const [id, { sources }] of ownNotes)
                  if (!sources.every((one) => left.has(one))) ownNotes.delete(id);
              }
              break;
            case 'late':
              // Saving an outdated text for the user's own note, even a removed one, adopts it.
              for (const { id } of fixture.sql.exec<{ id: string }>(
                "select id from memory_entries where author = 'person'",
              ))
                if (seen.entries.some((entry) => entry.id === id)) taken.add(id);
              fixture.change({ entries: seen.entries, known: seen.entries.map(({ id }) => id) }, clock);
              break;
            case 'reword': {
              const old = pick(seen.entries, n);
              if (old) writeOver(old, old.text.replace(/^\S+/, `Somebody${clock}`), n % 2 === 0);
              break;
            }
            case 'keep': {
              const old = pick(seen.entries, n);
              if (old) writeOver(old, old.text, true);
              break;
            }
            case 'recall': {
              const summary = `${seen.summary}\nAnd so ${clock}.`;
              const refusal = fixture.memory.applyChange(
                n % 2 === 0 ? { summary } : { ...seen, summary },
                clock,
              );
              if (refusal !== null) expect(refusal.code).toBe('memory_source_deleted');
              takeNewest();
              break;
            }
            case 'forget':
              for (const { id } of fixture.sql.exec<{ id: string }>(
                'select id from memory_entries where removed = 1',
              ))
                taken.add(id);
              fixture.memory.purgeRemoved(clock + 60 * 60_000);
              break;
            case 'correct':
              if (entry)
                fixture.change(
                  {
                    entries: current.map((one) =>
                      one.id === entry.id ? { ...one, text: `mine ${clock}` } : one,
                    ),
                  },
                  clock,
                );
              break;
            case 'write':
              fixture.change({ entries: [...current, { text: `own ${clock}` }] }, clock);
              break;
            case 'remove':
              if (entry) {
                fixture.change({ entries: current.filter(({ id }) => id !== entry.id) }, clock);
                ownNotes.delete(entry.id);
              }
              break;
            case 'rewrite':
              if (n % 4 === 0) {
                fixture.change({ summary: `everything ${clock}` }, clock);
                ownNotes.clear();
              }
              break;
          }
          if (['correct', 'write', 'rewrite', 'late', 'reword'].includes(what)) recordOwnNotes();
          const now = fixture.memory.getView().entries;
          const visibleRows = new Map(fixture.visible().map((row) => [row.id, row]));
          for (const [id, { text, sources }] of ownNotes) {
            const isThere = sources.every((source) => visibleRows.has(source));
            const found = now.find((entry) => entry.id === id);
            if (isThere) expect(found).toMatchObject({ text, author: 'person', stale: false });
            else expect(found).toBeUndefined();
          }
          // A note with a mark comes from messages: it is the user's only if adopted, and visible only while they
          // exist.
          expect(
            now.filter(({ id, author, text }) => author === 'person' && text.includes('#') && !taken.has(id)),
          ).toEqual([]);
          const texts = [...now, ...fixture.memory.listLive()].map(({ text }) => text);
          expect(listGoneMarks(texts.join('\n'))).toEqual([]);
          for (const { id, source_message_ids: sources } of now) ground.set(id, sources);
          const named = now.flatMap((entry) => entry.source_message_ids);
          expect(named.filter((id) => !visibleRows.has(id))).toEqual([]);
          const modelNotes = now.filter(({ stale, author }) => !stale && author === 'model');
          const covered = modelNotes.flatMap((entry) => entry.source_message_ids);
          expect(new Set(covered).size).toBe(covered.length);
          for (const { text, source_message_ids: from } of modelNotes) {
            const sourceText = from.map((id) => visibleRows.get(id)?.content ?? '').join('\n');
            expect((text.match(/#\w+/g) ?? []).filter((mark) => !sourceText.includes(`${mark} `))).toEqual(
              [],
            );
          }
        }
        fixture.restore();
        const back = fixture.memory.getView();
        expect(back.set_aside_count).toBe(0);
        for (const [id, { text }] of ownNotes)
          expect(back.entries).toContainEqual(expect.objectContaining({ id, text, author: 'person' }));
      }),
      {
        numRuns: 150,
        // A removed user's note returns from an outdated panel with the text that the panel shows.
        examples: [
          [(['correct', 'remove', 'edit', 'late', 'edit'] as const).map((what) => ({ do: what, n: 0 }))],
        ],
      },
    );
  },
);
