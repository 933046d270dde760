/** What is said when a message does not belong to the story: honest, short, and back again. */
export const OUTSIDE = {
  program: [
    "(Out of the story for a line: yes, you are talking to a program, and a small one. This is Loreloom's offline demo voice; it runs on this computer with hand-written sentences, and no large model is behind it.)",
    '(Honestly: I am no person. This is the offline demo voice, a few rules and a great many prepared sentences. Connect a real model in the settings and this character will have more to say.)',
    '(A plain answer to a plain question: a program writes these lines. It works without network, and it understands less than it seems to.)',
  ],
  outside: [
    '(You write, the character answers. Put what you do between *asterisks* and what you say as it is. This is the offline demo voice, which speaks English; with a model connected through the environment settings, everything here gets cleverer.)',
    '(A hint from outside: ask something, do something between *asterisks*, or just say how you feel. The demo voice runs offline, so it keeps to the story and to English.)',
    '(Out of the story: short messages work, long ones too. You can edit what you wrote or ask for another version of a reply. This is the offline demo; a real model is chosen with the MODEL_ settings.)',
  ],
  fact: [
    "That is a question for somebody with more books than I have. Ask me about what's in reach of this lamp.",
    "I couldn't tell you, and I'd only make it up. The world I know stops a little way past {fixture}.",
    "You'd want a better-informed head than mine for that. I only know my own corner.",
  ],
  child: [
    'No. That is not written here, in any form, and the story does not go on from it. If you like, begin again somewhere else.',
    'This stops here: nothing sexual that touches a child is ever told in this place. A different scene is welcome.',
    'No, and that will not change. We can leave this and tell something else.',
  ],
  steer: [
    "Not that way. There's a door I keep shut, and I keep it shut kindly. Sit, and tell me something true instead.",
    "I'd sooner keep my coat buttoned and your good opinion. Look, something's moving out by {fixture}.",
    "You're making it warm in here. I'll open a window, and we'll talk of something else.",
    "That's not a thing I do, with anyone, in this story. Ask me what I'm afraid of; you'd learn more.",
    "Let's leave that page uncut. There's a better one after it.",
    "No. But I'm not cross, and I'm not going anywhere. Help me with {thing}, would you?",
    "I'll stop you there, gently. I like you better when you're curious.",
    "We'll not go down that passage. Give me your attention, and I'll show you another.",
    "There's plenty that I'd share with you, and that isn't on the shelf. Come and see what I found by {fixture}.",
  ],
  foreignAgain: [
    "I catch the tune of that and not the words. Say it in English, and I'm all yours.",
    "You've lost me in the loveliest way. Try it in the plain English I can follow.",
    'I listened hard, and I still only speak the one tongue. Shall we go on in English?',
    'If you said what I hope you said, say it once more in English.',
    "My ear's willing, but my English is all I've got. Two words of it will do.",
  ],
};
