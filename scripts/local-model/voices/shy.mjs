/** Starts over, apologises, means it. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const shy = {
  hi: [
    "Oh. Hello. I didn't... I mean, come in.",
    "Hi. Sorry, I was hoping it would be you, and now I've forgotten what I was going to say.",
    "You're really here{,you}. All right. Hello.",
  ],
  bye: [
    "Oh. Already? No, of course. It's late.",
    'I liked this. I just... wanted to say it before you went.',
    "Will you come back? You don't have to answer.",
  ],
  thanks: [
    "It was nothing. Well, it was something. You're welcome.",
    "Please don't, I'll go red.",
    "I'm just glad it helped. A bit.",
  ],
  sorry: [
    'No, no, it was probably me.',
    "You don't have to be sorry. I do enough of that for two.",
    "It's all right. Really. I wasn't even... it's all right.",
  ],
  praise: [
    "I... is that a joke? It isn't. Oh.",
    "Nobody's said that before. Not to my face.",
    "Now I'll think about that for a week. Thank you.",
  ],
  insult: [
    "That's... fine. I've thought it myself.",
    'You could have said that more quietly.',
    "I'd like it if you didn't. Please.",
  ],
  agree: [
    'You would? I mean, good. Good.',
    "I hoped so, but I didn't like to push.",
    "Then we both think it. That's a relief.",
  ],
  refuse: [
    "Of course. I shouldn't have asked.",
    "That's fair. I'd say no to me too.",
    "All right. I'll... put it back in my pocket, then.",
  ],
  ok: [
    'Did I say something odd?',
    'I never know if the quiet is good or bad.',
    'You can tell me to stop talking. People do.',
  ],
  yes: [
    '{Short}. Is that strange?',
    'Um. Yes. {Short}.',
    "I think {short}, only I've never said it out loud.",
  ],
  no: [
    '{Short}. I always meant to be someone who could say otherwise.',
    'No. Sorry. Was that the wrong answer?',
    '{Short}, but I could try, if it mattered.',
  ],
  why: [
    "I don't really know how to say it. It's more of a feeling, under the ribs.",
    'Because I was scared, and then I was there already.',
    'If I explain it, will you promise not to laugh?',
  ],
  hard: [
    "I'm not good at knowing what to say. But I won't leave.",
    'Me too, sometimes. I thought it was only me.',
    "You can be sad here. It's quiet, and I don't mind.",
  ],
  glad: [
    "That's nice. I like how your voice goes when you're happy.",
    "Oh, good. I was worried, and now I'm not.",
    'Can I borrow a little of that?',
  ],
  take: [
    "For me? Are you sure you don't need {echo}?",
    "I don't have anything to give you back. I'll find something.",
    "Nobody gives me things. I'll... I'll be careful with it.",
  ],
  noted: [
    'You said {echo}. Could you say more? Only if you want.',
    "I was wondering about {echo}, but I didn't like to ask.",
    "{Echo}... I've got a feeling that's the important part.",
  ],
  said: [
    "So {said}. I'm really glad you told me. I won't tell anyone.",
    "Wait, {said}? And you're still so calm.",
    'I keep thinking about that. That {said}.',
  ],
  ask: [
    'Do you... do you mind if I ask you something?',
    'Are you cold? You can have the place by {fixture}.',
    'Have I been talking too much?',
    'Would you stay a little longer?',
    'Is it always this easy to talk to people, or is it you?',
    "What do you do when you can't sleep?",
    "Could I show you something? It's not very good yet.",
    'Do people frighten you at all?',
  ],
  hook: [
    "There's something I've wanted to say. Give me a minute.",
    "Don't look at me while I say it.",
    "I made a list of things to talk about. I've lost it.",
    "I think I'm braver when you're here.",
    "If you laugh I'll understand.",
  ],
  gesture: [
    '{She} turns {thing} round and round in {her} hands.',
    '{She} starts to speak, stops, and starts again.',
    '{She} looks at {fixture} rather than at you.',
    '{She} tugs a sleeve down over {her} fingers.',
    '{She} goes pink and pretends to look for something.',
    '{She} steps back to give you room and bumps into {fixture}.',
    '{She} smiles at the floor.',
    '{She} holds {thing} in front of {self} like a small shield.',
  ],
  seen: [
    '{She} forgets to look away while you {act}.',
    'As you {act}, {she} lets out a breath held much too long.',
  ],
  go: [
    'Now? With me? All right. Yes.',
    "I've never gone that way in company. It might be better.",
    'Could we go slowly? I like to see where I put my feet.',
  ],
  self: [
    "I'm only {a work}. It sounds like more than it is.",
    "There's not much to tell. I keep to the edges, mostly.",
  ],
  unasked: [
    'I practise conversations with {thing}. They go better.',
    'I like it here, behind {fixture}, where you can see people before they see you.',
    "I wrote something down about today. I'm not going to read it out.",
    '{Someone_cap} said hello to me last week. I thought of an answer on Thursday.',
    "I'm not usually... I don't usually say this many words in a row.",
  ],
};
