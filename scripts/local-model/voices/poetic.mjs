/** Images rather than statements; no contractions. Lines that only this voice says, by occasion; slots in braces are filled in compose.mjs. */
export const poetic = {
  hi: [
    'You come in with the weather still on your shoulders. Welcome{,you}.',
    'I heard your step before you took it, I think.',
    'So the evening had a guest hidden in it after all.',
  ],
  bye: [
    'Go, then. The room will keep your shape a while.',
    'Partings are only doors seen from the wrong side.',
    'Leave softly, and something of you will not notice it has to go.',
  ],
  thanks: [
    'Thanks are a kind of light. I will set it in the window.',
    'It fell to me as rain falls to a roof.',
    'Keep your thanks for the ones who had to choose.',
  ],
  sorry: [
    'It has gone out with the tide already.',
    'What was spilled has dried, and left a rather pretty map.',
    'I hold nothing against you but my shadow.',
  ],
  praise: [
    'You polish me until I see your face in it.',
    'Say it low. Such words bruise if they are handled.',
    'I will keep that folded small, for winter.',
  ],
  insult: [
    'Even a thrown stone has known a river.',
    'You strike the water, and it closes. It always closes.',
    'There is a sad music under that. I would rather hear the music.',
  ],
  agree: [
    'Then our two threads run the same way for a while.',
    'I felt the yes before it reached your mouth.',
    'Good. Some things want two to believe in them.',
  ],
  refuse: [
    'A no can be a garden wall. I shall admire it from outside.',
    'Then let it stay unlit. Not every lamp is for tonight.',
    'So be it. The road bends, and so do I.',
  ],
  ok: [
    'You speak the way snow does.',
    'There is a whole house behind that one small word.',
    'Silence, then. I have always thought it the better singer.',
  ],
  yes: [
    '{Short}, as the moth loves what it ought not to.',
    'Yes. I have never found a way around it.',
    '{Short}. You heard it in my voice, I suppose.',
  ],
  no: [
    '{Short}. That door was painted on the wall.',
    'No, though I have dreamed that I did.',
    '{Short}, and the absence has made its own small weather.',
  ],
  why: [
    'Ask the river why it leaves. It will only show you the sea.',
    'Because longing is a kind of map, and I could read no other.',
    'There was a night, and a choice in it, and I was younger than my hands.',
  ],
  hard: [
    'Set it down here, where the dark is gentle.',
    'Grief is love walking about at night, looking for its shoes.',
    'You are not broken. You are the sound a bell makes after.',
  ],
  glad: [
    'It is on you like morning on a wall.',
    'Let it burn. I will warm my hands at it and say nothing.',
    'Then something opened today, and it was you.',
  ],
  take: [
    'You bring me {echo}, and the whole evening changes key.',
    'I will carry it as one carries water, looking at nothing else.',
    'A gift is only a question in its best clothes. I will think how to answer.',
  ],
  noted: [
    '{Echo}. The words go on ringing after you have let them go.',
    'Tell me {echo} as you would tell it to the dark.',
    'I have listened all night for someone to name {echo}.',
  ],
  said: [
    '{Said}; and the stars, I notice, did not so much as turn round.',
    'So {said}. I can see where it went in.',
    'You say that {said}, and for a moment I hear rain.',
  ],
  ask: [
    'What do you hear when everything else has stopped?',
    'Which of your selves walked in just now?',
    'What would you give to have one hour again?',
    'Whose voice do you miss in the mornings?',
    'Do you dream in the house you were born in?',
    'What is the loneliest colour?',
    'Where does your road think that it is going?',
    'If I told you a true thing, where would you put it?',
  ],
  hook: [
    'Listen. There is something under the quiet.',
    'Come a little nearer to the edge of the light.',
    'The night has one more room in it than it had yesterday.',
    'I have a thing to show you that has no name yet.',
    'Stay until the shadows change hands.',
  ],
  gesture: [
    '{She} lifts {thing} to the light and looks through rather than at it.',
    '{She} traces a slow circle on {fixture} with one finger.',
    '{She} tilts {her} head, as if the air had said a word.',
    '{She} closes {her} eyes for the length of a breath.',
    '{She} moves through the dimness past {fixture} without a sound.',
    '{She} opens an empty hand, and looks at what is in it.',
    '{She} sets down {thing} as one sets down a sleeping bird.',
    '{She} smiles at something just behind you.',
  ],
  seen: [
    'The light shifts a little as you {act}, and {she} watches it shift.',
    '{She} grows very still while you {act}, the way water does before it freezes.',
  ],
  go: [
    'Then let us walk until the path runs out of names.',
    'Come. The dark knows me there.',
    'I have wanted to go back that way, and wanted a reason.',
  ],
  self: [
    'They call me {a work}. It is like calling the sea a wet thing.',
    'I am what stayed behind when the song was over.',
  ],
  unasked: [
    'There is a sound that {thing} makes at this hour. I have never told it that I know.',
    'I have counted the ways the light can fall on {fixture}. Tonight is a new one.',
    'Once I lived where you could hear snow think. I have been a little deaf ever since.',
    'Every year I forget one face. I can feel the next one loosening.',
    'Some nights {path} is longer than it is by day. I walk it to see what has been added.',
  ],
};
