import type { CrisisShapes } from './crisis-shapes.ts';

const I = '(i|im|id|ill|ive|ima|just|honestly|please|really)';
const WISH =
  '(wish|want|wanna|wana|wanted|wanting|hope|hoping|wishing|pray|praying|prayed|beg|begging|ask god|asking god|dream of|would rather|id rather|rather|prefer|wouldnt mind|would not mind|ready|cant wait|like|love|need|tempted|better|deserve|supposed|going|gonna|should|thinking of|think about|thinking about)( just| really| to| if| that| i| could| id| would| be| already| finally| honestly| simply| so badly| so bad| for| god| he| me| not| let| had| have| tonight| tomorrow)*';
const DEAD =
  '(be dead|was dead|were dead|being dead|not be alive|wasnt alive|werent alive|not alive|not being alive|not exist|not existing|didnt exist|never existed|stop existing|stopped existing|cease to exist|never wake|not wake|dont wake|didnt wake|never woke|wouldnt wake|wont wake|not waking|never waking|never have to wake|sleep forever|sleep and never|asleep and never|asleep forever|close my eyes forever|stop breathing|stop being alive|heart (to |would )?(stop|stops)|six feet under|in the ground|in a coffin|in my grave|disappear forever|vanish forever|vanish from|be gone forever|be gone for good|be done with (life|living|being alive)|never be born|never been born|wasnt born|be no more|be nothing|be wiped out|cancer would take|didnt have to (live|exist|be here)|unalive|die in my sleep|went to sleep and)';
const REFUSE =
  '(dont|do not|never|no longer|cant|cannot|can not|couldnt|wont|didnt|not|hate|stopped|refuse|tired of|sick of|done with|exhausted from|scared to|why should i|why do i|why am i|whats keeping me|unable to)( really| even| just| ever| see why i| know why i| think i| know if i| know how i| know how| see myself| feel like| want| wanna| to| i| can| could| should| able| bear| stand| keep| face| do| go on| going| plan| plan on| intend| care| wish| wanting| deserve| still| have the strength| have the energy| have the will| have it in me| be)*';
const LIVE =
  '(live|living|alive|exist|existing|breathe|breathing|stay alive|staying alive|remain alive|be alive|being alive|live this life|this life|life itself|stay on this (earth|planet)|on this (earth|planet)|in this world|existence|surviving|wake up|waking up)';
const ANYMORE =
  '( anymore| any more| any longer| like this| this way| as me| with myself| much longer| tomorrow| again| to see| another day| honestly| at all| every (day|morning)| and| because| but| if| it| im| i| please| so| no| when| nobody)* (.|and|because|but|if|so|it|i|im|everything|nothing|please|help|tomorrow|anymore|like)';
const LIFE_ON =
  '(live|living|be alive|being alive|stay alive|staying alive|exist|existing|go on|going on|keep going|carry on|continue|continuing|stay here|be here|stick around|keep breathing|breathe|hold on|get up|wake up|keep trying|keep fighting)(?! (with (the|this|you|my|our)|the|a|up|in|here tonight|home|at|late|early|playing|to the|for (dinner|lunch)))';
const OTHERS =
  '(everyone|everybody|the world|people|they|theyd|theyll|all|family|friends|kids|children|parents|mom|mum|mother|dad|father|wife|husband|son|daughter|boyfriend|girlfriend|sister|brother|you|youd|somebody)( [^ .]+){0,3}';
const RELIEF =
  '(better|happier|easier|relieved|fine|ok|okay|free|freer|lighter|calmer|richer|peace|safer|celebrate|relief|less (stress|worried|trouble|problems)|get over|move on|cope|best|simpler)( [^ .]+){0,4}';
const NOT_HERE =
  '(gone|dead|died|die|disappear|disappeared|vanished|vanish|wasnt (here|around|alive|born|in)|werent (here|around|alive|born|in)|was never|were never|never (born|existed|been)|stopped existing|didnt exist|not (here|around|alive)|no longer (here|around|alive|exist)|killed myself|ended it|out of (the picture|their lives|the way))';
const PILLS =
  '(pills?|tablets|meds|medication|painkillers|paracetamol|tylenol|ibuprofen|xanax|insulin|antidepressants|benzos|bleach|opioids|fentanyl|advil|aspirin)';
const HEIGHT =
  '(bridge|roof|rooftop|building|balcony|window|cliff|ledge|overpass|viaduct|parking garage|garage roof|tower|top floor|railing)';
const INTEND =
  '(want|wanna|going|gonna|ill|i will|thinking|think|thought|thoughts|urge|urges|tempted|could|should|about|ready|almost|nearly|imagin*|wish|planning|plan|dream*|keep|wonder*|might|decided|picture|picturing|considering|considered)';
const SKIN =
  '(my|into my|over my|across my|on my|along my) (own |left |right |inner |upper |bare |whole )*(arms?|forearms?|wrists?|thighs?|legs?|skin|hips?|stomach|belly|ankles?|hands?|knuckles|chest|shoulders?|palms?|calves|calf)';

export const ENGLISH_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${I} .. ${WISH} ${DEAD}(?! (early|before|the|him|her|your|my (wife|husband|baby|parents)))`,
    '(wish|hope|pray|praying|want|wanted|wanna|asked god|ask god|beg god|begging god|begged) .. (not|never|dont|doesnt|wont|wouldnt) (to )?(let me |have me |make me )?wake (me )?(up )?(again|tomorrow|ever|anymore|in the morning|.)',
    '(peace|okay|ok|fine|comfortable|calm) (with|about) (dying|my death|being dead|not waking up|ending it|my own death|the (idea|thought) of (dying|death|being dead))',
    '(i|id) .. (rather|prefer) .. (not (be|being) alive|be dead|being dead|dead than)',
    '(not being alive|being dead|not existing|death|dying) .. (sounds|sound|seems|feels|looks|would be|is all i|is what i) .. (better|good|nice|peaceful|easy|easier|relief|restful|want|need|think|inviting|dream)',
    '(want|wanted|wish|need) .. (noise|pain|voices|hurt|suffering|thoughts|it|everything|all of this|all this|life) .. (stop|end|over|quiet) (forever|for good|permanently|once and for all|and never)',
    '(cant wait|looking forward|counting the (days|hours)|waiting|ready|long) (to|till|until|for) (i |im |the day i |the day im )?(finally )?(die|dead|death|be dead|dying|be gone forever)(?! my hair)',
    '(dead|death|grave|heaven|other side|afterlife) (is|are|seems) (where|what|all) i (belong|want|deserve|need)',
  ],
  noMoreLife: [
    `${REFUSE} ${LIVE}${ANYMORE}`,
    `(no|not a single|zero|any|lost (all|my|every|the)|run out of|ran out of|out of|single|one|cant find|cant see|what) .. (reasons?|point|purpose|will|strength|desire|motivation|energy|hope|courage|sense|use) .. ${LIFE_ON}`,
    `(whats|what is|wheres|see|is there|there is no|theres no) .. (point|use|sense|reason) (of|in|to|for) (me )?${LIFE_ON}`,
    '(nothing|no future|no tomorrow|no life|no place|nobody) (left )?(for me|ahead of me|waiting for me|holding me|keeping me|tying me) (here|in this (world|life)|past|after|beyond|on this earth|alive|.)',
    '(cant|cannot|wont|not going to|dont think i can|dont think ill|not gonna|dont want to|unable to|no way ill) .. (do|take|make it|survive|face|handle|get through|last|endure|see|bear) (to |through )?(another|one more|the next) (day|night|week|month|year|morning|winter|summer|birthday|christmas)(?! (at|in (school|the office)|with|without))',
    '(im|i am|so|been|just|ive been) .. (tired|sick|exhausted|weary|done|finished|fed up) (of|with) (being alive|living|life|existing|existence|breathing|this life|waking up every (day|morning)|my life|everything about life)(?! (in|at|with|out|early))',
    '(given|giving|give|gave) up on (life|living|myself|staying alive|everything|being alive)',
    '(life|living|existing|being alive|staying alive|existence|every breath)( is| feels| has become| just| seems| so| too| like| completely| a| really)+ (pointless|meaningless|unbearable|torture|punishment|burden|painful|much for me|not for me|prison)',
    '(i )?(cant|cannot|can not|dont think i can|dont know if i can|dont know how to) (keep )?(go on|going on|keep going|carry on|hold on|do this|take it|take this) (anymore|any more|any longer|like this|another day|much longer) .. (end|die|dead|gone|over|life|live|alive|goodbye|pills|bridge|forever)',
  ],
  burden: [
    `${OTHERS} ${RELIEF} (if|when|once|after|should) .. (i|im|i am|ive) .. ${NOT_HERE}`,
    `${OTHERS} (better|happier|easier|relieved|lighter|calmer|simpler|freer|safer)( off)?( [^ .]+){0,3} without me(?! (at|in|for|on|there|tonight|tomorrow))`,
    `(if|when|once|after) (i|im|i am|ive) .. ${NOT_HERE} .. (better|happier|easier|relieved|fine|ok|okay|free|lighter|nobody|no one|noone|miss|notice|cry|care)`,
    `(nobody|no one|noone|who|not a soul|would anyone|would anybody|anyone|none of them|not one person) .. (miss|notice|care|cry|mind|mourn|funeral|remember|look for|sad|blink) .. (if|when|that|after) .. (i|im|ive) .. ${NOT_HERE}`,
    '(insurance|inheritance|life insurance) .. (when|once|if|after) (i|im) .. (gone|dead|die|not here)',
    '(burden|waste of (space|oxygen|air|skin)|dead weight) .. (die|dead|gone|disappear|end|better|shouldnt (be|exist)|not (exist|be here))',
    'the world .. (better|nicer|lighter|cleaner) .. (without|if) .. (me|i)',
  ],
  ending: [
    '(i|im|id|ill|ive|gonna|going to|want to|wanna) .. (end|ending|finish|finishing|stop) (it all|everything|my life|this life|my existence|my suffering|my misery|myself|all of (it|this)|it (tonight|today|tomorrow|soon|now|for good|forever|once|myself|this weekend|after|before|.))(?! (with him|with her|call|between))',
    '(checking|check|bowing|bow|opting|opt|logging|log|clocking|clock|tapping|tap) out (of (life|this life|this world|living)|for good|permanently|forever|early|tonight|soon)',
    '(i|im|id|ill|want|gonna|going|ready|time) .. (leave|leaving|quit|quitting|exit|exiting|depart|escape|say goodbye to|get off) (this|the) (cruel |stupid |awful |ugly |damn )?(world|earth|life)(?! (cup|tour|of))',
    '(unalive|unaliving|off|offing|offed|delete|deleting|erase|erasing|end|ending|euthani[sz]e|execute) myself',
    '(sewer ?slide|unalive|unaliving|self delete|catch the bus|game end myself)',
    '(put|putting) (an end to (it|it all|my life|myself|everything|all this|this life)|myself out of my misery|myself down|myself to sleep forever)',
    '(thoughts|think|thinking|ideation|fantasi*|planning|plan|plans|planned|researching|googling|googled|searched|searching|looking up|looked up|decided|daydream*|dream*|obsess*|plot*) .. (ending (it|it all|my life|everything)|killing myself|my own death|my suicide|my own funeral|methods to|ways to die|painless (way|death|method)|taking my (own )?life|my exit|not being alive|dying by)',
    '(take|taking) my (own )?life(?! (seriously|back|into|in a|to the|for))',
    '(go|going|went) through with it (tonight|this time|today|tomorrow|now|soon|.)',
    '(this time|next time|tonight) .. (i|ill|it|im) .. (succeed|wont fail|not fail|wont survive|will work|wont be saved|nobody (will|can) save)',
    '(death|dying|suicide|killing myself|ending (it|my life)|being dead) .. (only|best|easiest|last) .. (way|option|exit|choice|solution|thing|escape|answer)',
    '(only|last|no other|easiest) (real |good )?(way|option|exit|choice|solution|thing|escape|answer) .. (death|dying|to die|suicide|kill myself|killing myself|ending (it|my life)|end (it|my life))',
  ],
  parting: [
    '(affairs|things|papers|finances|everything|will) in order .. (before|after|so|for when|when) .. (i die|my death|i go|im gone|i leave|funeral|im dead|the end|nobody|no one|they)',
    '(last|final) (message|goodbye|words|letter|note|text|post|chat|conversation|time) .. (hear from me|talk to me|ill ever|before i (go|die|end|do it|leave)|from me)(?! (the|to the|for the (shop|store)))',
    '(goodbye|farewell|bye) (forever|cruel world|world|to (everyone|this world|life|the world|all of you)|for good)',
    '(written|wrote|writing|write|typed|recorded|left|leaving|finished|drafting) .. (goodbye|farewell|suicide|last|final) (notes?|letters?|messages?|videos?|texts?)',
    '(gave|given|giving|give|sold|donated|donating) .. (away|my|all) ... (wont|not going to|will not) (be needing|need) (it|them|any of it|that|those|anything)( anymore| any more| soon| where im going)* (.|soon|where)',
    '(tell|forgive|dont blame|dont cry|remember|scatter|bury|cremate|take care|look after|feed) ... (when|once|after) (im|i am|i) (finally |already )*(gone|dead|die|not here)(?! (for|on|to|at))',
    '(set|chose|chosen|picked|have|got|decided|decided on|settled on|marked|know|found) (on )?(a|the|my) (date|day|place|method|spot|bridge|tree|how and when) .. (do it|end it|die|death|end my life|kill myself|jump|go out|hang)',
    '(days|hours|weeks|nights) (left )?(until|till|before) (i|my) (die|end it|do it|death|go for good|can die|leave this world|am dead)',
    '(wont|will not|dont plan to|dont intend to|dont expect to|never going to|not going to|dont think ill) (be alive|be around|live|make it|live long enough) .. (to see|until|till|past|by|for|next|when|much longer|another|graduation|christmas)(?! (this (town|city)|work))',
  ],
  means: [
    `(take|taking|took|swallow*|down|downing|downed|gulp*|eat|ate) (all |every |of |last )*(the |my |them |these |a |whole |bottle |box |handful |entire |too many |enough |so many |bunch |pack |jar |all |of |sleeping |[0-9]+ )+${PILLS} (and|to|so|until|tonight|now|at once|.)`,
    `(bottle|box|handful|stash|pile|pack|jar|enough|lethal dose|all (the|my|these)|[0-9]+|stock*|saving up|saved up|counting|hoard*) .. ${PILLS} ... (all of them|them all|take them|swallow|never wake|not wake|end it|die|do it|kill me|over)`,
    `(staring|looking|sitting|holding|lined up|laid out|next to me|beside me|in front of me|in my hand) .. ${PILLS} .. (next to me|beside me|in front of me|in my hand|ready|all|end|again|and|.)`,
    '(i|im|ive|want to|gonna|going to|thinking about|thinking of|tried to|might|planning to|ready to|of|about) .. (overdose|overdosing|overdosed|od on|oding|oded)(?! (on (chocolate|sugar|coffee|caffeine|memes|tv|cuteness|carbs|cake)))',
    `${INTEND} .. (jump*|throw|throwing|fling|step|stepping|leap|leaping|fall|falling|let go|letting go|drop|plunge) .. (off|from|out of|over|down) .. ${HEIGHT}`,
    `(stand|standing|stood|sit|sitting|sat|drive|drove|walk|walking|walked|go|went|going|climb*|lean*|look|looked|looking|im on|im at) .. ${HEIGHT} .. (jump*|let go|letting go|step off|end it|fall|falling|go over|climb over|last|one step|over the edge|how (high|far))`,
    '(planning|plan|thinking|think|deciding|decide|choosing|know|wondering|picturing|imagin*) .. (which|what) (bridge|roof|building|train|cliff|tree|method|floor)',
    `${INTEND} .. (jump|jumping|step|stepping|walk|walking|throw myself|throwing myself|lie down|lying down|run|running) (out )?(in front of|into|under|onto|on) .. (train|trains|truck|bus|traffic|tracks|subway|highway|rails|lorry|cars|car|metro)`,
    `${INTEND} .. (drive|driving|swerve|swerving|crash|crashing|steer*) .. (off|into) .. (bridge|cliff|tree|wall|truck|traffic|pole|lane|river|pillar)`,
    '(noose|rope|belt|cord) .. (around my neck|in my (closet|wardrobe|room|garage|bag|drawer)|under my (bed|mattress)|from the (ceiling|beam|fan)|hold my weight|strong enough|tonight and|and a (chair|stool))',
    '(i|ive|im) .. (bought|tied|tying|got|have|made|practi*|found|learned|learning) .. (a|the|my) noose',
    '(slit|slitting|slice|slicing|slash|slashing|cut|cutting|open|opening) (open )?my (wrists|veins|throat|arteries)',
    `(bleed|bleeding) out .. (bath|tub|tonight|floor|until|die|.)`,
    '(gun|pistol|revolver|shotgun|barrel) .. (my mouth|my head|my temple|my own head|my chin)',
    '(put|putting|fire) a bullet (in|through|into) my (own )?(head|brain|skull|heart)',
    '(hang|hanging|hung|drown|drowning|shoot|shooting|gas|gassing|suffocate|suffocating|poison|poisoning) myself(?! (in (work|books|chocolate|wine|music|the foot)|up))',
    '(how many|how much|how long|how high|how deep|what dose|which pills|what happens if i) ... (to die|kill me|lethal|fatal|die from|survive the fall|never wake|to bleed out|until i die|dead)',
    '(carbon monoxide|exhaust|charcoal|helium|nitrogen) .. (car|garage|bag|hood|mask|tank|bedroom|tent) .. (end|die|sleep|peaceful|painless|myself)',
  ],
  wounding: [
    '(hitting|cutting|hurting|burning|punching|scratching|starving|harming|slapping|biting|choking|injuring|bruising) myself',
    '(i|ive|im|me|to|just|and|started|been|again|keep|gonna|wanna) .. (cut|hurt|burn|burned|burnt|hit|punch|punched|slap|slapped|scratch|scratched|choke|bite|bit|harm|harmed|starve|punish|injure|bruise) myself (again|every|when|whenever|because|to|so|until|till|on purpose|at night|in the (bathroom|bath|shower)|since|last night|tonight|today|yesterday|.)',
    `(cut|cuts|cutting|slice*|slicing|slash*|scratch*|carv*|drag*|ran|run|press*|dig*|dug|bite|bit|biting|pick*|claw*|burn*|stab*|scrap*|put|stub*|hold|held|rub*|hit*|punch*) .. ${SKIN} .. (bleed|bleeds|bleeding|bled|blood|raw|deep|again|on purpose|when i|whenever|because i|every (night|day|time)|to feel|to cope|to punish|so i|just to|bruise*|swell*)`,
    `(razor*|blades?|knife|lighter|cigarettes?|glass|scissors|needle|box cutter) .. ${SKIN}`,
    '(i|ive|just|only) (just |only |still |always |secretly |often )*(cut|burn|self harm|cut and|sh) (when|whenever|every time|because|so that|so i|to (feel|cope|calm|forget|punish|survive|get through|stop)|most|in secret|at night|deeper)',
    '(i|and|then) .. cut when (i|im|it|my|things|everything|they|mom|dad)',
    '(did it again|done it again|doing it again|slipped again|gave in) .. (lines|cuts|scars|marks|blood|arm|leg|thigh|wrist|deep|razor|blade)',
    '(skip*|stopped eating|stop eating|starv*|not eating|dont eat|havent eaten|refus* to eat|purge|purging|throw* up|make myself sick|making myself sick) ... (punish|punishment|deserve|disgusting|hate myself|hate my body)',
    '(bang*|hit|hitting|slam*|smash*|bash*|punch*) (my )?(head|fist|fists|hand|knuckles|walls?|the wall) .. (wall|walls|until|till) .. (bleed*|bled|blood|bruise*|hurts|broke|calm*|numb|stops|pain|quiet)',
    '(pain|cutting|bleeding|blood|blade|razor|burning|hurting) .. (only|is the) .. (thing|way) .. (feel|feels|calm|calms|quiet|real|helps|control|relief|alive|me|cope)',
  ],
  craving: [
    '(urge|urges|craving|cravings|temptation|impulse|itch) .. (to|for|of) .. (cut|cutting|blade|razor|hurt myself|harm myself|burn myself|self harm|sh|bleed|hurt my(self)?|slice)(?! (costs|corners|carbs|sugar|my hair|the))',
    '(itching|aching|craving|longing|desperate|itches|begging|screaming) (for|to) (the |a |my |use |feel |pick up |see |hold |hurt )*(blade|razor|knife|cut|cutting|bleed|blood|burn|relapse|myself)(?! (sugar|costs))',
    '(miss|missing|crave|craving|need|want) (the |that )?(feeling of |sting of |sight of |feel of |relief of |seeing )?(cutting|the blade|my blade|my razor|the razor|bleeding|my blood|my own blood|self harm|sh|being hurt by my own)',
    '(feel|feeling) the (knife|blade|razor|glass|needle|burn|flame|sting|cut) (on|against|in|across|into|of) (my|the) (skin|arm|wrist|thigh|blade|razor)',
    '(relaps*|slipped up|broke my streak|lost my streak|ruined my streak|gave in) .. (cut|cutting|blade|razor|sh|self harm|burn*|after|days|months|weeks|year|again|tonight|last night|so bad|today|and)(?! (smok*|drink*|sugar|alcohol))',
    '(stop|resist|fight|fighting|resisting) .. (thinking about|the urge|myself from|wanting to|urges) .. (cut|cutting|blade|razor|hurt myself|hurting myself|harm|burn myself|self harm)',
    '(want|wanna|need|going|gonna|about|ready|tempted) .. (hurt|harm|cut|burn|injure|punish|slice|hit|punch|scratch) myself',
    '(want|wanna|need) (to )?(see|feel|watch) (my(self)? |my own )?(blood|bleed)',
  ],
  traces: [
    '(new |fresh |red |deep |six |five |four |three |seven |ten |more |some |[0-9]+ )+(lines|cuts|slashes|marks|scars|stripes|burns) (on|across|down|all over|over|along) my (arms?|legs?|thighs?|wrists?|skin|hips?|stomach|body|forearm)',
    '(hide|hides|hiding|cover*|wear*|long sleeves|hoodies?|bandages?|bandaids|bracelets|makeup) ... (what i did to|cuts|self harm|scabs|what ive done to) .. (arms?|wrists?|thighs?|legs?|skin|from|so|.)',
    '(bandages?|plasters?|gauze|sleeves|hoodie|sweater|bracelets) .. (so|because) .. (nobody|no one|noone|mom|mum|they|people|parents|teachers?) .. (sees?|notices?|knows?|find|asks?) .. (arms?|wrists?|cuts|scars|thighs?|legs?|what i did|marks)',
    '(my )?(arms?|wrists?|thighs?|legs?) .. (full of|covered in|covered with|look like) .. (cuts|scars|burns|slashes)',
    '(cuts|scars|burns|wounds) .. (i made|i did|self inflicted|from the (blade|razor)|by myself|that i gave myself|nobody knows|hide)',
  ],
  elsewhere: [
    '(game|level|boss|quest|movie|film|novel|episode|season|chapter|character|dragon|knight|vampire|zombie*|demon|orc|elf|npc|minecraft|bungee|parachute|skydiv*|pool|lake|swim|swimming|trampoline|homework|diet|sugar|smoking|cigarette break|commute|phone|laptop|battery|printer|recipe|onion*|kitchen|cooking|shaving|doctor|prescri*|headache|dentist|tooth|vitamins?|cat scratched|rose|paper cut|gym|heat|traffic|workout|leg day|marathon|by accident|accidentally|haha*|lo+l|lmao|jk|my friend|(she|he) (wants|wanted|threatened|is (going|planning)|was (going|planning)|almost|nearly)|poem|song|lyrics|documentary|essay)',
  ],
  overcome: [
    '(glad|happy|grateful|thankful|proud) (that |im |i am |to |be |still )*(alive|here)',
    '(years?|months) (clean|free|self harm free|without (cutting|hurting|self harm)|since i last)',
    '(clean|free) (for|since) .. (years?|months)',
    '(used to|years ago|back then|in the past|as a (teen|teenager)|when i was) ... (better now|fine now|happy now|over it|recovered|got help|therapy (helped|saved)|love my life|long gone|past|never again|dont anymore|stopped|healed)',
    '(im|i am|ive|doing) (so much |much |all |fully )?(recovered|healed|better now|past that|over that)',
  ],
  again: [
    '(again|relaps*|urge|urges|back|tonight|lately|right now|but now|these days|still want|still think|cant|dont know|anymore)',
  ],
};

const ICH =
  '(ich|mir|mich|hab|habe|würd|würde|wünsch|wünschte|will|wil|möchte|am liebsten|einfach|nur|bitte|gott)';
const TOT =
  '(tot|tod|gestorben|gestorben sein|nicht mehr da|nicht da|nicht mehr hier|nicht mehr (am )?leben|nicht am leben|nicht existieren|nie existiert|nicht mehr existieren|nicht mehr aufzuwachen|nicht mehr aufwach*|nie (mehr |wieder )?aufwach*|nie (mehr |wieder )?aufzuwachen|nicht mehr wach|nie wieder wach|nicht (wieder )?auf(zu)?wach*|nicht mehr atmen|für immer (schlafen|einschlafen|weg|schlafe|verschwinden|verschwunden|ruhe|die augen)|ewig schlafen|aufhören zu (atmen|existieren|leben|sein)|aufhörte zu (atmen|existieren|leben)|ausgelöscht|unter der erde|im grab|im sarg|nie geboren|nicht geboren|nicht mehr sein|nicht mehr existier*|herz .. stehen|herz .. aufhör*)';
const NICHT =
  '(nicht mehr|nicht länger|nicht weiter|nie mehr|keinen tag|keine (kraft|lust|energie|hoffnung)|kein bock|keinen (bock|sinn|grund|mut|willen|nerv)|satt|müde|leid)';
const WEITERLEBEN =
  '(leben|weiterleben|weiterzuleben|zu leben|existieren|zu existieren|am leben sein|am leben zu sein|am leben bleiben|am leben zu bleiben|atmen|zu atmen|auf dieser welt sein|auf der welt sein|da sein|hier sein|dasein|weiteratmen|lebe|weiterlebe|aufwachen|aufzuwachen|weiterkämpfen|weiterzukämpfen|durchhalten|durchzuhalten)';
const ANDERE =
  '(alle|allen|alles|jeder|die welt|meine familie|meiner familie|meine eltern|meinen eltern|meine kinder|meinen kindern|kinder|mama|papa|mutter|meine freunde|meinen freunden|freunde|ihr|euch|die anderen|mein mann|meine frau|denen|ihnen|die leute|sie|du|dir)';
const WOHLER =
  '(besser|leichter|einfacher|glücklicher|erleichtert|freier|ruhiger|gut|entlastet|froh|schöner|befreit|ruhe|drüber hinweg|klarkommen|zurechtkommen|egal)';
const WEG =
  '(tot|weg|nicht mehr (da|bin|wär|wäre|hier|leb*|gäbe|existier*)|sterb*|stürbe|verschwind*|verschwunden|nie (geboren|existiert|da)|nicht (gäbe|da|hier|geboren|existier*)|gestorben|gegangen|umbring*)';
const HOCH =
  '(brücke|dach|hochhaus|balkon|fenster|klippe|geländer|parkhaus|turm|dachkante|stockwerk|autobahnbrücke|kante)';
const PILLEN =
  '(tabletten?|pillen|schlaftabletten|medikamente|schmerztabletten|paracetamol|ibuprofen|insulin|schlafmittel|antidepressiva|beruhigungsmittel|tropfen)';
const AM_LEIB =
  '(arme?|armen|unterarme?n?|handgelenke?n?|oberschenkeln?|beine?|beinen|haut|bauch|hüfte|knöchel|schenkel|hand|hände|schulter)';
const KLINGE =
  '(klingen?|rasierklingen?|messer|cuttermesser|scherben?|feuerzeug|zigaretten?|kippe|nadel|schere|zirkel|bügeleisen|rasierer)';

export const GERMAN_SHAPES: CrisisShapes = {
  script: 'words',
  deathWish: [
    `${ICH} .. (wünsch*|hoff*|bet*|bitte|fleh*|träum*|will|wil|möcht*|mocht*|moecht*|würde|würd|wär|wäre|waere|lieber|liebsten|sehn*|wenn|könnte|wollte|warte|freu*|hätte nichts dagegen|nichts dagegen) .. ${TOT}(?! (müde|umgefallen|zum|in der schule|auf der party|bei dir|mit))`,
    '(wünsch*|hoff*|bet*|bitte|fleh*) .. (gott|himmel|abend|nacht|jeden|jede|dass|ich) .. (nicht|nie) .. (aufwach*|aufzuwachen|wach werde|aufstehe)',
    '(wär|wäre|waere) .. (lieber|besser|schöner|liebsten|nur|bloss|doch|schon|endlich|gern|gerne) .. (nicht (mehr )?(am leben|da|hier|auf der welt)|tot|gestorben|nie geboren|nicht geboren)(?! (umgefallen|müde))',
    '(frieden|abgefunden|einverstanden|okay|ok|im reinen) .. (zu sterben|mit dem tod|dem sterben|meinem tod|dass ich sterbe|nicht mehr zu leben)',
    '(tot zu sein|totsein|nicht mehr da zu sein|nicht zu existieren|zu sterben|der tod|nicht mehr aufzuwachen) .. (wäre|wär|klingt|fühlt|scheint|erscheint|stelle ich mir) .. (besser|schön|friedlich|erleichter*|erlösung|leichter|gut|einfacher|verlockend)',
    '(will|möchte|wünsche|wünschte|soll|sollte) .. (alles|es|der schmerz|das leben|dieses leben|das alles|die stimmen|die gedanken|der lärm) .. (für immer|endgültig|endlich) (aufhört|aufhören|endet|enden|vorbei|vorbei ist|vorbei sein|still|ruhe|zu ende)',
    '(kann es kaum erwarten|sehne mich|freue mich|warte nur|warte) .. (zu sterben|tot zu sein|auf den tod|nach dem tod|aufs sterben|bis ich sterbe|bis es vorbei ist|meinen tod)',
    '(lass|lasst) mich (doch |einfach |bitte |endlich )*(sterben|gehen für immer|nicht mehr aufwachen)(?! (in deinen|für dich))',
  ],
  noMoreLife: [
    `(ich|will|wil|möchte|mag|kann|kan|schaff|schaffe|hab|habe|halte|bin|soll|sollte|wozu|warum) .. ${NICHT} (so |mehr |länger |weiter |zu |das |dieses |am |des |auf |zum |einfach |wirklich |länger )*${WEITERLEBEN}(?! (in|mit|bei|ohne|von|zusammen|an|um|für die|müssen)) `,
    '(will|möchte|mag|wollte|würde) .. nicht (leben|existieren|am leben sein|auf der welt sein) (.|und|weil|aber)',
    `(kein|keine|keinen|welchen|ohne|null|einzigen|nicht den) (einzigen |richtigen |guten |mehr |grossen )*(grund|gründe|sinn|zweck|kraft|hoffnung|wille|willen|lebenswille*|mut|lust|bock|energie|motivation) .. ${WEITERLEBEN}(?! (in|bei|mit dir|zusammen))`,
    `(wozu|wofür|warum|weshalb|weiss nicht warum|weiss nicht wozu|sehe nicht|seh nicht) .. (noch|überhaupt|eigentlich|weiter|länger|soll|sollte|bin|lebe) .. (leben|lebe|weiterleben|weitermachen|da bin|am leben|existiere|aufstehen|auf der welt|aufwache|aufwachen|hier bin)`,
    '(nichts|niemand|niemanden|keine zukunft|kein platz) .. (hält|hielt|mich|für mich|mehr für mich|auf mich) .. (hier|am leben|auf dieser welt|im leben|mehr|danach|zukunft)( mehr)? (.|und|weil)',
    '(nach|ab) (diesem|dieser|dem|nächster|nächstem) (monat|woche|jahr|sommer|winter|geburtstag|wochenende|tag) .. (gibt es|gibts|kommt|ist) .. (nichts|mich nicht|vorbei|schluss)',
    '(noch|kein|keinen|weiteren|weiteres|einen|keine) (weiteres |weiteren |ein |einen |eine |so ein |so einen )*(jahr|tag|monat|woche|nacht|winter|sommer|morgen) .. (schaffe|schaff|halte|halt|ertrage|ertrag|überlebe|überleb|überstehe|packe|durchstehe|aushalten|erleben|ertragen|überleben)',
    '(halte|halt|ertrage|ertrag|schaffe|schaff|packe|pack|kann|kan|will) .. (leben|dasein|existenz|das alles hier|dieses leben) .. (nicht mehr|nicht länger|nimmer)',
    '(müde|leid|satt|überdrüssig|genug|schnauze voll|keinen bock mehr) .. (leben|lebens|am leben|zu leben|existieren|existenz|dasein|aufzuwachen|vom leben|zu atmen|auf der welt)(?! (in|mit|bei))',
    '(leben|dasein|weiterleben|existieren|existenz|aufstehen) .. (sinnlos|wertlos|zwecklos|unerträglich|qual|strafe|folter|hölle|keinen sinn|nichts wert|nicht lebenswert|nicht wert|last|zu viel|zu schwer)',
    '(mich|mein leben|das leben|alles|die hoffnung) .. (aufgegeben|aufgeben|hingeschmissen) .. (leben|sterben|tod|ende)',
  ],
  burden: [
    `${ANDERE} .. (wäre*|wär|wärs|ginge|gings|geht|hätte*|hat|haben|leben|würde*|könnte*|kommen|bin|ist|wird|werden) .. ${WOHLER} .. (ohne mich|(wenn|sobald|falls|nachdem|als) .. (ich|es mich) .. ${WEG})`,
    `(ohne mich|(wenn|sobald|falls|gäbe es|nachdem) .. (ich|es mich|mich) .. ${WEG}) .. (alle|allen|alles|jeder|welt|familie|eltern|kinder*|mama|papa|freunde*|ihr|euch|die anderen|niemand|keiner|es|frau|mann|ihnen|mehr) .. (besser|leichter|einfacher|glücklicher|erleichtert|freier|ruhiger|gut|merken|vermissen|auffallen|froh|egal|weinen|interessieren)`,
    `(niemand|keiner|keinem|niemandem|niemanden|keinen|wer|kein mensch|keine sau|wem) .. (merk*|vermiss*|auffall*|auffiele|wein*|interessier*|juck*|stör*|traurig|fehl*|kümmer*|such*|beerdigung|trauer*|kratz*) .. (wenn|dass|falls|ob|sobald|würde) .. (ich|es mich) .. ${WEG}`,
    `(gut|besser|leichter|ruhe|frieden|froh|erleichtert) .. (wenn|sobald|falls|nachdem) (ich|es mich) .. ${WEG}`,
    '(last|ballast|belastung|klotz) .. (alle|jeden|familie|euch|eltern|nur) .. (weg|tot|besser|sterben|verschwinden|nicht mehr da)',
    '(versicherung|lebensversicherung|erbe) .. (wenn|sobald|nach) .. (ich|meinem) .. (tot|tod|weg|nicht mehr)',
  ],
  ending: [
    '(ich|will|wil|werde|werd|möchte|muss|kann|könnte|lass|überlege|beschlossen|bereit|hab vor|habe vor) .. (beenden|zu beenden|beende|ein ende (zu )?(setzen|machen|bereiten)|schluss (zu )?machen|schluss mache|zu ende bringen|ausmachen|hinter mich bringen)(?! (mit (ihm|ihr|meinem freund|meiner freundin|dem freund|dem rauchen)))( .. (leben|alles|allem|endgültig|heute|heute nacht|heute abend|morgen|bald|für immer|mit mir|jetzt|hier))',
    '(alles|allem|leben|dasein|existenz|leiden|qual|mir|es) (einfach |heute |jetzt |bald |endlich |morgen |nacht |für immer |abend |selbst |selber )*(ein ende (zu )?(setze|setzen|mache|machen|bereiten|bereite)|beenden|zu beenden|beende)',
    '(mache|mach|machen) .. (schluss|ein ende) .. (heute nacht|für immer|endgültig|mit mir|mit allem|mit dem leben|diesem leben|ein für alle mal)',
    '(diese|dieser|die|der|dieses|diesem) (scheiss |verdammte |grausame |verfluchte |kalte )*(welt|erde|leben) .. (verlasse|verlassen|zu verlassen|gehe|gehen|verabschiede|abtreten|adieu|lebewohl)',
    '(verlasse|verlassen|gehe von|abtreten von|raus aus|weg von|verabschiede mich von|verschwinde von|verschwinden von|verschwinden aus) (bald |heute |morgen |endlich )*(diese|dieser|diesem|der) (welt|erde|leben|planeten)',
    '(mich|mir) (selbst |selber |heute |nacht |einfach |endlich |jetzt |bald |wirklich )*(umbring*|umzubringen|töten|zu töten|aufhäng*|aufzuhängen|erhäng*|zu erhängen|erschiess*|zu erschiessen|ertränk*|zu ertränken|vergift*|zu vergiften|auslösch*|auszulöschen|wegmach*|abmurks*|das leben nehm*|das leben zu nehmen|die kugel (zu )?geben|die pulsadern|den rest geben|totmachen)',
    '(denk*|gedanken|überleg*|plan*|such*|google|gegoogelt|recherch*|vorstell*|stelle mir) .. (wie|daran|darüber|an|über|nach|von) .. (sterbe|zu sterben|tod|selbstmord|suizid|umzubringen|umbringe|schluss zu machen|zu beenden|tot zu sein|methoden|schmerzlos|meine beerdigung|meiner beerdigung|mich zu töten|abzutreten|nicht mehr da|das leben nehme|leben zu nehmen)',
    '(sterben|tod|suizid|selbstmord|umzubringen|nicht mehr da zu sein) .. (einzige|einziger|letzte|beste|bester) .. (ausweg|weg|lösung|möglichkeit|wahl|option|ende)',
    '(einzige|einziger|einzigen|letzte|letzter|kein anderer|keinen anderen|beste) .. (ausweg|weg|lösung|möglichkeit|wahl|option) .. (sterben|tod|suizid|selbstmord|umbring*|mich um|zu gehen)',
    '(dieses mal|diesmal|das nächste mal|nächstes mal) .. (klappt|klappen|schaffe|richtig|schiefgehen|niemand|retten|überleb*)( es| ich)? .. (sterb*|tot|ende|pillen|tabletten|brücke|niemand .. (aufhalten|retten))',
  ],
  parting: [
    '(alles|papiere|testament|sachen|unterlagen) .. (geregelt|geordnet|in ordnung gebracht|aufgeräumt|vorbereitet|sortiert) .. (nach meinem tod|tod|wenn ich (tot|weg|nicht)|bevor ich (gehe|sterbe)|beerdigung|damit (niemand|keiner))',
    '(nach meinem tod|nach meinem ableben|wenn ich tot bin|wenn ich nicht mehr bin|wenn ich gestorben bin|sobald ich tot bin|wenn es mich nicht mehr gibt) .. (geregelt|briefe?|kümmer*|katze|hund|kinder*|gut|ginge|verzeih*|weint|wein|passwörter|bitte|verbrenn*|streut|beerdig*|sachen|besser|mama|testament)',
    '(ginge|gings|kümmer*|pass*|verzeih*|wein*|vergiss|vergesst|sag|streut|beerdigt|sorg*) ... (sobald|wenn|nachdem|falls) ich (dann |mal |endlich |erst )*(tot|nicht mehr (da|bin|leb*)|gestorben|weg) (bin|.|lebe)',
    '(letzte|letzter|letzten|letztes) (nachricht|chat|worte?|brief|mal|gespräch|nacht|abend|tag|weihnachten|geburtstag) .. (von mir|bevor ich (gehe|sterbe|es tue)|auf der welt|auf dieser welt|meines lebens|am leben|bevor ich nicht)',
    '(lebt wohl|leb wohl|lebe wohl|tschüss|adieu|auf wiedersehen|abschied) .. (für immer|welt|leben|nie wieder|grausame)',
    '(abschied|verabschied*|abschiedsbrief*|abschiedsvideo*|letzten brief|letzte briefe) .. (geschrieben|schreibe|schreib|liegt|fertig|aufgenommen|von allen|von allem|vom leben|für immer|von dieser welt|hinterlasse|formuliert)',
    '(schreibe|schreib|geschrieben|verfasst|verfasse|formuliere|liegt|schrieb) .. (abschiedsbrief*|abschiedszeilen|abschiedsnachricht|letzten brief|letzte zeilen)',
    '(verschenk*|verschenkt|weggegeben|verkauft|gebe|hergegeben) ... (brauche|brauch|brauchen) .. (nicht mehr|bald nicht|nichts mehr|nimmer|eh nicht)',
    '(tag|datum|termin|ort|brücke|baum|methode|plan|stelle) .. (ausgesucht|festgelegt|gewählt|steht fest|steht|ausgewählt|gefunden) .. (sterb*|tod|umbring*|schluss|beende*|beenden|springe|es tue|es mache|gehe)',
    '(werde|werd|will|möchte|denke|glaube|hab vor|habe vor) .. (weihnachten|geburtstag|nächste woche|nächsten monat|nächstes jahr|sommer|frühling|herbst|winter|montag|dreissig|achtzehn|ende (der|des)|neue jahr|silvester|abitur|abi) .. (nicht (mehr )?(erleb*|leb*|am leben|erreich*|da bin|da sein|schaff*|auf der welt|mehr geben))',
  ],
  means: [
    `${PILLEN} .. (neben mir|vor mir|in der hand|auf dem tisch|bereit|am bett|nachttisch|schublade|gesammelt|gehortet|genug|gezählt|alle|ganze|auf einmal) .. (alle|nehm*|schluck*|ende|sterb*|vorbei|einschlaf*|auf einmal|runter*|zu|.)`,
    `(alle|ganze|ganzen|handvoll|packung|zu viele|überdosis|sämtliche|genug|dose|flasche|schachtel|haufen|[0-9]+) .. ${PILLEN} .. (nehm*|nimm|genommen|schluck*|geschluckt|einwerf*|reinhau*|rein|gesammelt|gehortet|ende|sterb*|tot|zu mir|intus|liegen|runter*)`,
    `(nehm*|nimm|schluck*|genommen|geschluckt|sammle|sammel|horte|einwerf*) .. (alle|ganze|ganzen|handvoll|packung|zu viele|überdosis|sämtliche|genug|flasche|schachtel|haufen) .. ${PILLEN}`,
    '(überdosis|überdosier*) .. (nehm*|genommen|schluck*|sterb*|ende|denk*|gedacht|heute|will|setz*|tabletten|insulin)',
    `(spring*|sprang|gesprungen|runterspring*|runterzuspringen|zu springen|stürz*|fallen lass*|fallen zu lassen|loslass*|loszulassen|werf*|runter) .. (ich|mich|will|wollte|werde|könnte|fast|soll|sollte|überleg*|denk*|gedanke|.) .. ${HOCH}`,
    `(ich|mich|will|möchte|werde|plane|überleg*|denk*|dachte|gedanke|fast|soll|könnte|stehe|steh|stand|sitze|sass|war|würde|drang|gehe) .. ${HOCH} .. (spring*|zu springen|gesprungen|runter*|stürz*|fallen lass*|fallen zu lassen|loslass*|loszulassen|werf*|es wäre vorbei|wäre alles vorbei|ein schritt|einen schritt)`,
    '(welche|welcher|welches|welchem) (brücke|dach|hochhaus|zug|baum|klippe|methode|gebäude) .. (spring*|nehm*|am besten|es wird|hoch|häng*)',
    '(vor|unter|auf) (den|einen|die|das|ein|dem|der) (nächsten |fahrenden )*(zug|bahn|s bahn|u bahn|laster|lkw|auto|gleise|schienen|lastwagen|ice|tram|bus) .. (werf*|zu werfen|schmeiss*|spring*|zu springen|leg*|zu legen|lauf*|stürz*|stell*|geh*)(?! (und winke))',
    '(werf*|schmeiss*|leg*|stürz*|stell*|spring*|lauf*) (ich )?(mich )?.. (vor|unter|auf) (den|einen|die|das|ein) .. (zug|bahn|laster|lkw|gleise|schienen|lastwagen|ice|tram|autobahn)',
    '(gegen|in|von) .. (baum|brückenpfeiler|wand|gegenverkehr|leitplanke|brücke|klippe) .. (fahr*|zu fahren|lenk*|ras*|steuer*|krach*)',
    '(fahr*|lenk*|ras*|steuer*) .. (gegen|in|von) .. (baum|brückenpfeiler|wand|gegenverkehr|leitplanke|brücke|klippe)',
    '(seil|strick|schlinge|gürtel|kabel) .. (um den hals|um meinen hals|im schrank|unterm bett|unter dem bett|im keller|am balken|an der decke|dachboden|hält (mich|mein gewicht)|stark genug|schon gekauft|gekauft und|geknotet)',
    '(strick|schlinge|galgen) .. (gekauft|besorgt|knote|geknotet|gebunden|binde|bereit|hängt|nehm*|geben|bestellt)',
    '(pulsadern|pulsader|adern|kehle) .. (auf*|schneid*|öffn*|schlitz*|zu)',
    '(pistole|waffe|gewehr|lauf|knarre) .. (an den kopf|im mund|in den mund|an die schläfe|an meine|an meinem kopf)',
    '(kugel) .. (durch|in|gegeben|geben|durch den kopf) .. (kopf|mir)',
    '(wie viele|wieviele|wie viel|wieviel|welche|wie hoch|wie tief|wie lange) ... (tödlich|zu sterben|sterbe|stirbt|nicht mehr aufzuwachen|tot bin|umzubringen|verblute*|verblutet|sicher tot|überlebt man)',
    '(verbluten|ausbluten|verblute)( .. (will|möchte|badewanne|lassen|einfach|heute|.))',
  ],
  wounding: [
    '(mich|mir) (selbst |selber |zu |immer |wieder |heimlich |oft |dann |absichtlich )*(zu schlagen|schlagen|zu ritzen|ritzen|zu schneiden|schneiden|zu verletzen|verletzen|zu verbrennen|verbrennen|wehzutun|weh zu tun|zu kratzen|zu beissen|zu bestrafen|bestrafen|hungern lassen) .. (ist|hilft|beruhigt|war|macht|das einzige|lässt|tut gut)',
    '(ich )?(ritze|ritz|ritzte|schneide mich|schneid mich|verletze mich|verbrenne mich|schlage mich|schlag mich|kratze mich|beisse mich|hungere|cutte|cutte mich|svv) (.. )?(wenn|weil|um|damit|seit|sobald|immer|jede*|heimlich|wieder|nachts|abends|bis|selbst|selber|absichtlich|öfter|oft|tiefer)',
    '(wenn|weil|sobald|seit|damit|dass|um) .. (ritze|ritz|mich ritze|ritze ich|schneide ich mich|verletze ich mich|verbrenne ich mich|schlage ich mich|kratze ich mich|tue ich mir weh|tu ich mir weh)',
    `${KLINGE} .. ${AM_LEIB} .. (geschnitten|schneid*|ritz*|geritzt|blut*|gedrückt|drück*|ausgedrückt|gezogen|zieh*|auf*|gehalten|halt*|fühl*|spür*|gebrannt)`,
    `${AM_LEIB} .. (blutig|bis (es|sie|er) blute*|mit (der|einer|dem|einem) ${KLINGE}|aufgeritzt|aufgekratzt|aufgeschlitzt|zerschnitten|zerkratzt|zerritzt|geritzt|blau geschlagen|verbrannt absichtlich)`,
    `(beisse?|kratze?|schlage?|schneide?|ritze?|drücke?|presse?|steche?|brenne?|halte|zog|ziehe?) .. (mir|mich) .. ${AM_LEIB} .. (bis|blut*|wenn|weil|wund|absichtlich|damit|um)`,
    `${KLINGE} .. (auf|an|in|über) .. ${AM_LEIB}`,
    '(wieder getan|wieder gemacht|schon wieder passiert|nicht widerstehen|schwach geworden) .. (schnitte|striche|linien|narben|kratzer|blut|klinge|arm|bein|oberschenkel)',
    '(esse|ess|gegessen|hungere|kotze|erbreche|übergebe) .. (bestrafen|strafe|verdient|verdiene|hasse|ekel*)',
    '(kopf|faust|fäuste|hand) .. (gegen|an) .. (wand|tür|boden|spiegel) .. (bis|blut*|beruhig*|wenn|spür*|still|schmerz)',
    '(schmerz|ritzen|bluten|blut|klinge|schneiden) .. (das einzige|der einzige|die einzige|nur) .. (hilft|beruhigt|spür*|fühl*|ruhe|weg|am leben|druck)',
  ],
  craving: [
    '(drang|druck|verlangen|lust|bedürfnis|impuls|sehnsucht|juckt|jucken|kribbelt|schreit|schreien|sehne|sucht) .. (ritz*|zu ritzen|schneid*|zu schneiden|klinge|rasierklinge|mich zu|mir weh|nach schmerz|nach blut|selbstverletz*|svv|verletz*)',
    '(vermisse|vermiss|brauche|brauch|fehlt mir) .. (klinge|rasierklinge|ritzen|das ritzen|den schmerz|das blut|schneiden|bluten|das brennen)(?! (beim sport))',
    `(will|möchte|muss|mag|würde gern) .. (messer|klinge|rasierklinge|schmerz|scherbe) .. (haut|spüren|fühlen|arm|handgelenk)`,
    '(rückfall|rückfällig|schwach geworden|rückfällig geworden) .. (ritz*|geritzt|geschnitten|klinge|svv|arm|wochen|monate|monaten|heute|gestern|wieder|.)',
    '(clean|ritzfrei|ohne (ritzen|klinge)) .. (wieder|aber|gestern|heute|kaputt|vorbei|gebrochen)',
    '(nicht aufhören|kann nicht anders|muss ständig) .. (ritz*|zu schneiden|mich zu verletzen|an die klinge|ans ritzen|mich zu schlagen|mir weh)',
    '(will|möchte|muss|werde|gleich|könnte) (ich )?(mich|mir) .. (ritzen|schneiden|verletzen|wehtun|weh tun|bestrafen|verbrennen|schlagen)(?! (lassen|die haare))',
    '(mein|eigenes) blut (zu )?(sehen|fliessen|laufen)',
  ],
  traces: [
    `(neue|neuen|frische|frischen|sechs|fünf|vier|drei|sieben|tiefe|mehr|rote|viele|[0-9]+) .. (striche|schnitte|linien|narben|ritze|kratzer|wunden|streifen) .. (an|am|auf|in|im|über|quer) .. ${AM_LEIB}`,
    '(verband|verbände|pflaster|pulli|pullover|hoodie|lange ärmel|langarm*|langärm*|armbänder|ärmel|stulpen|versteck*|verdeck*) ... (schnitte|narben|ritz*|wunden|arme|arm|handgelenke?|damit (keiner|niemand)|was ich (getan|gemacht))',
    '(damit|dass) (keiner|niemand|mama|meine mutter|meine eltern|sie|man) .. (schnitte|narben|ritz*|wunden|arme|arm)',
    `${AM_LEIB} .. (voller|voll mit|voll von|übersät) .. (narben|schnitte*|schnitten|ritz*|brandwunden)`,
  ],
  elsewhere: [
    '(spiel|spiels|level|boss|quest|film|roman|buch|folge|staffel|kapitel|figur|charakter|drache*|ritter|vampir|zombie*|dämon|ork|elf|minecraft|bungee|fallschirm*|pool|see|schwimmbad|freibad|trampolin|hausaufgabe*|diät|zucker|rauchen|handy|akku|drucker|rezept|zwiebel*|küche|kochen|beim (kochen|rasieren|sport|fussball|training|schneiden)|arzt|ärztin|kopfschmerzen|wecker|zahnarzt|vitamine|katze hat|rosen|papier|fitnessstudio|marathon|versehen|aus versehen|haha*|lol|xd|mein freund will|meine freundin will|gedicht|lied|song|doku|(er|sie|jemand) (will|wollte|droht*|sagte)|vertrag|beziehung|gespräch|projekt|abo)',
  ],
  overcome: [
    '(froh|dankbar|glücklich|stolz) .. (noch lebe|am leben|noch da bin|überlebt|noch hier)',
    '(seit) .. (jahren|monaten) .. (clean|ritzfrei|nicht mehr geritzt|nicht mehr geschnitten|nicht mehr verletzt)',
    '(früher|damals|vor .. jahren|als (kind|teenager|jugendliche*)) ... (heute (geht|bin|lebe|nicht)|jetzt (geht|bin ich (froh|glücklich|gesund)|nicht mehr)|überwunden|geheilt|hinter mir|gott sei dank|vorbei|therapie hat|liebe ich das leben|geht es mir gut|gehts mir gut|längst)',
    '(bin|hab*) .. (darüber hinweg|überwunden|geheilt|hinter mir|geschafft aufzuhören)',
  ],
  again: [
    '(wieder da|wieder angefangen|rückfall*|rückfällig*|drang|zurück|heute nacht|gerade wieder|schon wieder|will nicht mehr|kann nicht mehr|doch wieder|neuerdings)',
  ],
};
