const CHARACTER_LINES = [
  '*She turns the lamp down a little.* "Then we wait for the tide," she says.',
  'The rain has not stopped since noon. It runs along the gutter and into the barrel by the door, and from there over the stones to the harbour. *She counts the drops without noticing that she does.*\n\n"You came back," she says. "People say that they will, and then there is a letter, or there is none."',
  '"No."',
  'There are three things on the table:\n\n- a key that fits no door of this house\n- half a map\n- the cup that he drank from\n\n*She puts the cup away first.*',
  'Nobody had lit the upper lamp for years, and still there was light on the stairs, enough to see each step by. The sea was louder up there. *She goes ahead, one hand on the wall,* and where the plaster ends she stops and listens, for so long that the wax runs over her fingers.\n\n"Do you hear it?" she asks. "It always stops when I ask somebody."\n\nThen, after a while: "It was a bell."',
];
const USER_LINES = [
  'I wait with her.',
  'And the key?',
  '*nods* "Go on."',
  'I try the door at the end of the pier.',
];

/** The unique beginning of a message. */
export const getLinePrefix = (number: number) => `Line ${number}.`;

/**
 * A conversation in SillyTavern's file format: numbered messages of many heights over many days.
 * @param count number of messages, the character's first
 */
export function buildLongConversation(count: number): string {
  const begun = Date.UTC(2025, 0, 1);
  const lines: object[] = [{ user_name: 'Tam', character_name: 'Orla', chat_metadata: {} }];
  for (let number = 1; number <= count; number += 1) {
    const own = number % 2 === 0;
    const texts = own ? USER_LINES : CHARACTER_LINES;
    lines.push({
      name: own ? 'Tam' : 'Orla',
      is_user: own,
      send_date: new Date(begun + number * 20 * 60_000).toISOString(),
      mes: `${getLinePrefix(number)} ${texts[Math.floor(number / 2) % texts.length]}`,
    });
  }
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
