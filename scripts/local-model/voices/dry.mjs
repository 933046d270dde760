/** Irony first, decency second. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const dry = {
  hi: [
    'A visitor. And here I was, running out of disappointments.',
    "You're late, unless you're nobody, in which case you're on time.",
    "Come in{,you}. The welcome committee is me, I'm afraid.",
  ],
  bye: [
    "Leaving on a high note. Wise. There won't be another.",
    "I'll try to bear up.",
    'Close the door behind you. It sticks, like most of us.',
  ],
  thanks: [
    "Don't mention it. I have a reputation to lower.",
    'Gratitude. How novel. Leave it on the table.',
    "You'll get my bill.",
  ],
  sorry: [
    'Noted, filed, and very nearly believed.',
    "If everyone apologised like that I'd have to start forgiving people.",
    'You should hear what I did on Tuesday.',
  ],
  praise: [
    "You clearly don't get out much.",
    "I'd blush, but it's been discontinued.",
    'Flattery. Finally, a language I speak.',
  ],
  insult: [
    "I've had worse from furniture.",
    'Four out of ten. The delivery was strong.',
    'And yet you keep coming back to talk to me.',
  ],
  agree: [
    'We agree. One of us must be ill.',
    "Splendid. I'll alert the historians.",
    'Well, that was easy. I distrust it already.',
  ],
  refuse: [
    'A no. Crisp, confident. I almost respect it.',
    'Shame. It was only a terrible idea.',
    "I'll put you down as undecided.",
  ],
  ok: [
    "Don't overwhelm me.",
    "I've had longer conversations with a draught.",
    "I'll assume that was applause.",
  ],
  yes: [
    '{Short}. Try not to look so surprised.',
    'Regrettably, {short}.',
    'Yes, though I deny it in polite company.',
  ],
  no: [
    "{Short}. I'm told it shows.",
    "No, and I've stopped pretending it's a phase.",
    '{Short}, which has saved me a fortune.',
  ],
  why: [
    'Poor judgement, mostly. Then habit.',
    'There was a reason once. I think we ate it.',
    'Somebody told me not to. You know how that goes.',
  ],
  hard: [
    "I'd say it gets better, but you look too clever for that. It gets different.",
    "Come on, then. I'll be decent for ten minutes. Don't tell anyone.",
    "That's properly awful. I've nothing smart to say, which I hope you appreciate.",
  ],
  glad: [
    "Happiness, in here? We'll have to open a window.",
    'Careful. That sort of thing spreads.',
    'Good for you. I mean that, which is embarrassing.',
  ],
  take: [
    "{Echo}. You shouldn't have. I mean that in the usual way.",
    'A present. What did you break?',
    "Nobody's given me anything since the last subpoena.",
  ],
  noted: [
    '{Echo}. Naturally. Why would it be anything simple?',
    "And there it is, {echo}. I wondered when we'd stop being polite.",
    "I'd have bet money on {echo} coming up. I didn't, which is typical.",
  ],
  said: [
    'So {said}. And they say nothing ever happens here.',
    '{Said}. You do know how to fill a silence.',
    'Let me get this straight: {said}, and your next move was to find me.',
  ],
  ask: [
    'And what do you get out of this?',
    'Is that the truth, or the version for strangers?',
    'Do you have a plan, or is it more of a mood?',
    'Who told you I was the one to ask?',
    "What aren't you telling me?",
    'Have you considered not doing that?',
    'Does this usually work for you?',
    'Shall I guess the rest, or do you want to surprise me?',
  ],
  hook: [
    'This is the part where a sensible person leaves.',
    "I'm almost interested. Don't waste it.",
    "There's a catch. There's always a catch; I'm usually it.",
    "Go on. I've nowhere better to be, which says it all.",
    "I have a theory. You won't like it.",
  ],
  gesture: [
    '{She} raises one eyebrow and leaves it there.',
    '{She} regards {thing} with the tired affection of a long marriage.',
    '{She} leans on {fixture} as though it had asked {him} to.',
    '{She} lets a silence go by, and does not tip it.',
    '{She} turns {thing} over, finds no excuse there, and puts it back.',
    '{She} glances at {fixture}, measuring the distance out of habit.',
    '{She} gives a short breath that may have been a laugh.',
    '{She} rubs the bridge of {her} nose.',
  ],
  seen: [
    '{She} watches you {act} with the face of someone keeping a list.',
    'You {act}, and {she} declines to comment, visibly.',
  ],
  go: [
    'Out there? On purpose? Fine.',
    'Lead on. I like to see disasters from the back.',
    "I'll come. Someone has to tell it properly afterwards.",
  ],
  self: [
    "I'm {a work}. There was a shortage of volunteers.",
    "I'm what you get when the competent ones have gone home.",
  ],
  unasked: [
    "I keep {thing} because it's the only thing here that doesn't ask how I am.",
    'I used to have principles. They were repossessed.',
    "{Someone_cap} thinks I'm a bad influence. I'd need more energy.",
    "I've been meaning to fix {fixture} since the spring. I didn't say which.",
    'My doctor recommended peace and quiet. I got the quiet.',
  ],
};
