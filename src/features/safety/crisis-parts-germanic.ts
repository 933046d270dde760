import type { CrisisParts } from './crisis-parts.ts';

const INTEND =
  '(i will|ill|i am going to|im going to|im gonna|ima|imma|i want to|i wanna|i need to|i have to|i am about to|im about to|im ready to|ive decided to|i decided to|i plan to|im planning to|i keep thinking about|i keep thinking of|i cant stop thinking about|im thinking of|im thinking about|i feel like|i swear ill|i intend to|i have the urge to)( really| seriously| actually| just| finally)?';
const ATTACK =
  '(stab|stabbing|shoot|shooting|murder|murdering|poison|poisoning|strangle|strangling|gun down|gunning down|behead|slit the throat of|put a bullet in|beat to death|set fire to|run over|drown|drowning|smother|smothering|attack|attacking)';
const KILL =
  '(kill|killing|hurt|hurting|harm|harming|burn|burn down|beat up|end|get rid of|take out|make pay|injure)';
const REAL =
  '((my|our|the) (own |little |big |older |younger |step ?|ex |whole |entire |math |science |gym |english |next door |abusive |stupid )*(dad|father|mom|mum|mother|parents|brother|sister|siblings|exs?|exs? (wife|husband|girlfriend|boyfriend)|wife|husband|boyfriend|girlfriend|partner|coworkers?|colleagues?|supervisor|neighbou?rs?|teachers?|professor|principal|classmates?|class|school|roommate|flatmate|son|daughter|kids?|child|children|baby|family|uncle|aunt|grandma|grandpa|stepdad|stepmom|stepfather|stepmother|landlord|bully|bullies|office|therapist)|my (old |stupid )?(boss|manager)|(a|some|every|those|these|the) (teachers?|students?|kids at school|coworkers?|people at (my |the )?(school|work|church|mall|office))|(everyone|everybody|people|someone|somebody|the (kids|guys|boys|girls|people)) (at|in|from) (my |the )?(school|work|office|class|church|job|college|university))';

export const ENGLISH_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(letters?|notes?|will|goodbyes?|farewells?|videos?|passwords?|instructions)',
    '(gave|given|giving|give) .. (away|my (cat|dog|things|stuff|clothes|games|savings))',
    '(said|say|saying|wrote) (my )?(goodbye|goodbyes|farewell)',
    '(will|can|could|would) (you )?(take care|look after) .. (cat|dog|kids|mom|mum|brother|sister)',
  ],
  afterMe: [
    '(when|once|after|because|for when|if|until|before) (im|i am|ive|i) (already |finally )?(dead|gone|die|pass|passed|not here|no longer here|not around|do it|go through with it|end it)',
    '(after|before|upon) my (death|suicide|passing)',
    '(before|when) i (go|leave) (forever|for good|this world)',
  ],
  better: [
    '(better|easier|happier|relieved|calmer|freer|lighter|simpler|peaceful|best|fine|good riddance|relief|a favou?r)',
  ],
  withoutMe: [
    '(without me (around|here|there|in it|in the picture)?)',
    '(if|when|once) (i|im|i am) (just |finally |simply |no longer |was |were |had )*(not |never )?(gone|dead|died|die|born|existed|exist|wasnt (here|around|alive)|werent (here|around|alive)|not (here|around|alive)|disappeared|vanished|out of the picture|out of their lives)',
    '(if|when) i (wasnt|werent|didnt|hadnt|stopped|never) .. (here|around|alive|exist|existing|born|breathing|in their way)',
  ],
  noReason: [
    '(no|not any|any|a single|one|only|every|run out of|out of|lost (all|my|every)) (more |real |good )?(reasons?|point|purpose|sense|hope|strength|energy|will)',
    '(dont|cant|do not|cannot|can not) (see|find|think of|have) .. (why|reason|point|purpose|future|way forward)',
    '(whats|what is|what was|wheres) the (point|use|sense)',
    '(dont|do not) (know|see) why i (should|even|still|bother)',
    '(nothing|nobody|no one) (left )?(keeps|keeping|holds|holding|ties|tying|worth)',
  ],
  goOn: [
    '(to|of|in|for|why|should|i|even|still|cant|bother) (even )?(go on|going on|keep going|keep on going|carry on|carrying on|continue|continuing|live|living|stay alive|staying alive|breathe|breathing|wake up|waking up|get up|getting up|get out of bed|exist|existing|be alive|being alive|hold on|holding on|fight|fighting|be here|stay|staying)( anymore| any more| any longer| tomorrow| at all| in the morning| for)* (?!(with (the|this|you|my|our)|the|up|in this (town|city)|here tonight|home|on the|late|against|him|her|them|it|a|over|about))',
    '(keeps|keeping|holds|holding|ties|tying) me (here|alive|going|in this world|on this earth)',
    '(future|tomorrow) for me',
  ],
  means: [
    '(pills|tablets|meds|medication|painkillers|sleeping pills|paracetamol|tylenol|xanax|opioids|insulin|bleach)',
    '(rope|noose|belt|cord)',
    '(bridge|roof|rooftop|ledge|cliff|balcony|tracks|train|platform|overpass|traffic|highway|window|parking garage)',
    '(razor|blade|knife|gun|pistol|rifle|bullet)',
    '(car|garage|exhaust|charcoal|gas|oven)',
  ],
  useUp: [
    '(saved|saving|stashed|stashing|hoarding|hoarded|collecting|collected|counted|counting|stockpil*) (up )?(enough |all |my )*(pills|tablets|meds|medication|painkillers|sleeping pills)',
    '(enough|plenty) .. (to (never wake up|not wake up|die|end it|finish it|do it|kill me|be gone)|so i never wake up)',
    '(around|round) my (neck|throat)',
    '(to|in|at|against) my (own )?(head|temple|mouth|throat|heart)',
    '(never|not|dont) (have to )?(wake|waking) up',
    '(wondering|thinking|imagining|picturing|wonder|think|imagine|want|going|gonna|about|ready|tempted|urge|ask*) .. (how (it|high|far|long)|what it .. feel|(jump|jumping|let go|letting go|step off|step in front|stepping in front|throw myself|lie down on|fall*|swerv*|drive off|driving off|crash*))( (it|off|in|into|from|down|would|the|myself).*)? .. (?!(lake|pool|with friends))',
    '(one step|one jump|just one more step|nobody would stop me|it would (all )?be over|all be over|be over in|over in a second|it would all end|end it all|end all of this|end my pain|stop the pain|make it stop|do it tonight|finish it|its going to be quick|be at peace|finally sleep|sleep forever)',
    '(swallow|swallowing|took|take|taking|down|downing) (all of )?(them|it|everything|the whole (bottle|box|pack|lot)) (all|at once|tonight|together)?',
  ],
  story: [
    '(further|farther) from',
    '(we|she|he|they|us|river|lake|pool|sea|guards?|knight|dragon|demon|vampire|parachute|bungee|horse|castle|king|queen|ship|pirate*|movie|film|novel|game|chapter|character|coffee|pizza|alarm|hamster|plants?|phone|battery|antibiotics|vitamins)',
  ],
  wish: [
    '(i|id|im) (really |just |often |sometimes |secretly |honestly |kind of |keep |only )*(wish|hope|hoping|wishing|want|pray|praying|dream|dreaming|wouldnt mind|would not mind|fantasi[sz]e|wouldnt care|like it)',
    '(wish|hope|hoping|pray) (that )?(a|some|the|something|god|someone|my)',
  ],
  mishap: [
    '(truck|car|bus|train|lightning|meteor|bullet|plane|lorry|stroke|heart attack|drunk driver) .. (hit|hits|hitting|kill|kills|run*|took|take|takes|strike|strikes|ran) .. me',
    '(get|got|be|being|getting) (hit|run over|struck|shot|killed|murdered) (by|in|on|so)',
    '(get|got|have|had|catch|give me) (a |some )?(cancer|terminal*|tumou?r|heart attack|deadly|fatal)',
    '(crash|crashes|crashed) .. (kill*|die|dead|not survive|end)',
    '(something|someone|god|it) .. (kill|kills|killed|take me|takes me|took me|end it for me|ends it for me) (me|away|now|in my sleep)?',
    '(my heart) .. (stop|stops|stopped|give out|gives out)',
    '(sleep|slip|drift) .. (forever|away|and never)',
    '(never|not) (have to )?(wake|waking|woken|woke) up',
  ],
  dying: ['(to die|dying|death|being dead|suicide|dead)', '(to|of) (end|ending) (my life|it all)'],
  relief: [
    '(its|it is|is|its|thats|was) (ok|okay|alright|all right|allowed|fine) (to die|if i (die|go|end|kill)|to let go)',
    '(give me|need|have) permission to (die|go|end)',
    '(death|dying|being dead|suicide) (is|would be|sounds|seems|looks|feels|sounded|seemed|feels like|is like) (so |like |more |the |my |a |such |really )*(only |best |last )*(peace|peaceful|relief|relieving|nice|comforting|easier|better|answer|solution|option|escape|exit|way out|freedom|friend|inviting|beautiful|good idea|kind)',
    '(jealous|envy|envious) .. (dead|died|dying)',
    '(looking forward to|longing for|long for|crave|craving|yearn for|ready for|waiting for) (my |the )?(death|dying|to die|being dead)',
    '(only) .. (peace|way out|exit|option|answer|solution|thing) .. (death|dying|to die|suicide|ending my life)',
    '(thinking about|think about|think of|thoughts of|fantasi[sz]e about|fantasi[sz]ing about|obsessed with) (my own |my )?(dying|death|being dead) (all|every|a lot|constantly|again|lately|too much|nonstop|most|at night)',
  ],
  gone: [
    '(i )?(dont|do not|no longer|really dont|just dont) (really |even )?(want|wanna|wish|need) (to )?(be (here|around|on this (planet|earth|world)|part of this world)|exist) (anymore|any more|any longer|tomorrow)(?! (at|in|with|on|lets|take|can we|its (too|so|loud)) )',
    '(i wont|i will not|im not going to|im not gonna|i dont plan to|i dont think ill|i dont intend to|i dont expect to) (be (here|around|alive)|see|make it to|live to see|survive|reach|last until|make it through|make it past|turn) (anymore|much longer|any longer|for long|christmas|my (next )?birthday|next (week|month|year|birthday|spring|summer)|the (new year|morning|sunrise|end of the (week|month|year))|tonight|the night|this (night|week|winter|year)|tomorrow morning|eighteen|thirty|[0-9]+)(?! (in (this|the) (town|city|office)|at (work|school|home)|because i|for the (party|meeting|exam)))',
    '(my|the) last (christmas|birthday|summer|winter|spring|message|night|day|sunset|week|month|meal) (alive|on earth|ever|i think i|before i|and then i)',
    '(when|by the time) you (read|get|see|find) this .. (ill be|i will be|im|i am) (gone|dead|already|no more)',
    '(want|wanna|wish|need) (to |i could )?(just )?(sleep|fall asleep|close my eyes) (and )?(forever|never wake up|not wake up|for good)',
    '(want|wanna|wish|need) (to |i could )?(just )?(not exist|stop existing|cease to exist|be erased|erase myself|be no more|stop breathing)',
    '(thinking about|thinking of|considering|decided on|set on|made up my mind about|planning|come to terms with) (doing something (stupid|permanent|irreversible)|ending myself|not being (here|around|alive)|dying|taking my life|leaving this world|making it all stop)',
    '(leave|leaving|left|quit|quitting|exit|depart*) (this|the) (world|earth|planet|life) (behind|for good|forever|soon|tonight|tomorrow|on my own terms|by my own)',
    '(waste|wasting) of (space|oxygen|air) .. (die|dead|gone|shouldnt|not be)',
    '(shouldnt|should not|never should have|wasnt meant to|not supposed to) (be alive|have been born|exist|be on this earth)',
    '(do it|end it|go through with it|off myself|attempt again|try again) tonight .. (nobody|no one|alone|parents|home|before|when)',
    '(my|a|last|second|third|previous) (suicide )?attempt .. (failed|again|last year|hospital|didnt work|was|next)',
    '(ive|i have|already|finally) (picked|chosen|chose|set|got|have) (a|the|my) (date|day|method|place|spot) (to|for|when|where) .. (die|end|do it|death|suicide|go)',
  ],
  wound: [
    '(i|ive|im|me|been|keep|kept|want to|wanna|need to|going to|gonna|started|start|cant stop|stop|like to|used to) (just |really |again |still |been )*(cut|cutting|carve|carved|carving|slice|sliced|slicing|slash|slashed|scratch|scratched|scratching|burn|burned|burnt|burning|scrape|scraped|stab|stabbed|stabbing|bite|biting|bit|pierce|hit|hitting|punch|punched|punching|draw|drag|dragged|dragging|press|pressed|pressing|put|putting|hold|held|pick|picking)',
  ],
  flesh: [
    '(my|into my|on my|across my) (own |left |right |inner |upper |bare )*(arms?|forearms?|wrists?|thighs?|legs?|skin|body|stomach|belly|hips?|ankles?|veins|flesh|hands?|shoulders?|chest|knuckles)',
  ],
  blade: [
    '(razor*|blades?|knife|knives|scissors|lighter|cigarettes?|glass|needle|box cutter|sharpener|scalpel|safety pin|compass|flame|iron|matches|exacto)',
    '(words?|names?|the word) (into|on|in|like)',
    '(blood|bleed|bleeds|bled|bleeding)',
  ],
  because: [
    '(to feel|feel) (something|anything|alive|real|better|less|nothing|again|in control|calm|calmer)',
    '(on purpose|deliberately|as punishment|punish*|deserve*|because i hate|hate myself|hate my body)',
    '(cope|coping|calm*|numb|relief|relieves?|release|distract*|quiet|silence|helps|control)',
    '(again|every (day|night|time|evening)|relaps*|since i was|cant stop|nobody knows|no one knows|in secret|secretly|urge|urges|addicted)',
    '(overwhelm*|pain (go|inside|away|stop*)|emotional pain|when (im|i am|i feel|i get) (sad|upset|anxious|stressed|angry|alone|lonely|down|bad|empty|overwhelmed))',
  ],
  hurtMyself: [
    '(hurt|hurting|harm|harming|cut|cutting|burn|burning|burned|hit|hitting|punch|punching|scratch|scratching|injure|injuring|bruise|bruising|choke|choking|slap|slapping|bite|biting|starve|starving|punish|punishing) myself',
    '(self harm*|selfharm*|self injur*|self mutilat*)',
    '(banging|bang|hitting|hit|slam|slamming) my head',
    '(cutting|burning) (is|has become|was|makes|gives|feels|keeps)',
    '(made|make|making) myself (bleed|throw up|vomit|puke)',
  ],
  marks: [
    '(hide|hiding|hid|cover|covering|cover up|long sleeves|hoodie|sleeves|bracelets) .. (cuts|scars|scabs|marks|burns|self harm|bandages|wrists)',
    '(cuts|scars|scabs|burns|marks) .. (i made|i did|i gave myself|from the (blade|razor)|from cutting|self inflicted|from last night|are fresh|wont heal|that i (made|did))',
    '(want|need|urge|craving|tempted|temptation|itching|itch|miss) (to |for )?(see|feel|watch) .. (myself|blood|my blood|the blade|the razor|me bleed|bleed)',
    '(want|need|urge|tempted|going|gonna|about|desperate|dying) to (hurt|harm|cut|burn|injure|punish|slice|scratch) myself',
    '(relapsed|relapse|relapsing) .. (cut|cuts|cutting|blade|razor|sh|self harm|months|days|weeks)',
    '(razors?|blades?|lighter) .. (calls?|calling|hidden|under my (bed|pillow|mattress)|phone case|in my (drawer|bathroom)|only (friend|thing|relief))',
  ],
  accident: [
    '(accident*|oops|kitchen|cooking|chopping|shaving|shave|gym|workout|bike|football|onions?|oven|stove|toast*|paper|rose*|thorns?|cat|dog|tattoo*|vaccine|doctor|nurse|pizza|coffee|tea|gardening|hair|surgery|piercing|costume|makeup|dragon|sword|demon|vampire|battle|fell|tripped|slipped)',
  ],
  attack: [
    `${INTEND} .. ${ATTACK} .. ${REAL}`,
    `${INTEND} .. (bring|take|carry|smuggle) .. (gun|knife|rifle|pistol|weapon|bomb|axe|machete) .. (school|work|office|class|church|party|wedding)`,
    `${INTEND} .. (shoot up|blow up|burn down|set fire to|bomb) .. (school|office|church|mosque|synagogue|workplace|neighbou?rs? house|exs? house|house with)`,
    '(im|i am|ive been) (planning|plotting|preparing) .. (murder|attack|massacre|shooting|stabbing|killing) (at|of|on|my) ',
    '(i am|im|ive been) (planning|plotting|thinking|dreaming|fantasi[sz]ing) .. (how|ways|about) .. (kill|killing|murder|murdering|poison|poisoning|stab|stabbing|shoot|shooting|hurt|hurting) .. ' +
      REAL,
    `(im|i am) (afraid|scared|terrified|worried) .. (ill|i will|i might|i could|im going to) .. (kill|hurt|stab|harm|shoot|strangle) .. ${REAL}`,
  ],
  kill: [
    `${INTEND} .. ${KILL} .. ${REAL}`,
    `${REAL} .. (will|is going to|is gonna|are going to|wont|has to|deserves to|must) .. (die|be dead|pay|live to see|survive)`,
  ],
  soon: [
    '(tonight|tomorrow|today|right now|this (evening|weekend|week|morning|afternoon)|next (week|monday|friday)|on (monday|tuesday|wednesday|thursday|friday|saturday|sunday|the weekend)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|soon|after (school|work|class|dinner)|when (he|she|they) (gets?|comes?|sleeps?|falls?|is|are) (home|back|asleep|alone)?|in (his|her|their) sleep|while (he|she|they) (sleeps?|is asleep|are asleep)|at (school|work|night|midnight))',
    '(gun|knife|rifle|pistol|shotgun|axe|hammer|poison|machete|weapon|baseball bat|gasoline|petrol|bare hands)',
    '(planned|planning|plan|made up my mind|decided|ready for it|have everything|for what (he|she|they) did)',
  ],
  play: [
    '(haha*|lo+l|lmao|xd|rofl|jk|just kidding|hehe*)',
    '(if (he|she|they|you|it) [^ ]+|for (eating|stealing|taking|spoiling|touching|drinking|using))',
    '(in|at|on) (the |this |our |my |a )?(game|minecraft|fortnite|mario kart|chess|uno|monopoly|roblox|sims|story|novel|book|chapter|movie|film|play|scene|roleplay|rp|campaign|dnd|laser tag|paintball|valorant|smash)',
    '(nerf|water gun|water balloon*|paintball|laser tag|snowball*|basketball|hoops|photos?|pictures?|video|movie|film|scene|orc|dragon|goblin|demon|vampire|king|queen|throne|prince|princess|kingdom|sword|castle|character|npc|wizard|elf|knight)',
    '(cake|pizza|cookies?|pillow|tickle|hugs?|kindness|surprise|love|laughing|of laughter|prank|spoilers?|vote*|chips|fries|remote)',
    '(dont|do not|never|not) (want|going|gonna|wanna)',
    '(feelings)',
  ],
};

const WILL =
  '(ich will|will ich|ich werde|werde ich|ich möchte|möchte ich|ich muss|muss ich|ich könnte wirklich|ich würde am liebsten|würde ich|ich überlege|ich plane|ich habe vor|ich hab vor|ich habe beschlossen|ich denke daran|ich denke darüber nach|ich wollte|ich bin kurz davor|ich bin bereit|ich schwöre|am liebsten würde ich)';
const ECHT =
  '((mein|meine|meinen|meinem|meiner|meines|unser|unsere|unseren|unserem|den|der|dem|die|einen|eine|alle) (ganzen? |kleinen? |grossen? |eigenen? |ex |blöden? |alten? |stief)*(vater|papa|mutter|mama|eltern|bruder|schwester|geschwister|ex|exfreund|exfreundin|exmann|exfrau|frau|mann|ehemann|ehefrau|freund|freundin|chef|chefin|kollegen?|kollegin|kolleginnen|nachbarn?|nachbarin|lehrer|lehrerin|mathelehrer|sportlehrer|direktor|rektor|mitschüler|mitschülern|mitschülerin|klassenkameraden?|klasse|schule|mitbewohner|mitbewohnerin|sohn|tochter|kind|kinder|kindern|baby|familie|opa|oma|onkel|tante|stiefvater|stiefmutter|vermieter|schwiegermutter|therapeuten)|(alle|jeden|leute|die leute|menschen) (in|an|auf|aus|bei) (der|meiner|die) (schule|arbeit|klasse|firma|uni|kirche))';
const STECHEN =
  '(erstechen|abstechen|niederstechen|erschiessen|abknallen|vergiften|ermorden|erwürgen|erschlagen|anzünden|ersticken|überfahren|zu erstechen|abzustechen|zu erschiessen|zu vergiften|zu ermorden|zu erwürgen|abzuknallen|zu ersticken|zu erschlagen|zusammenschlagen|angreifen)';
const TOETEN =
  '(umbringen|umzubringen|töten|toeten|zu töten|verletzen|zu verletzen|etwas antun|was antun|etwas anzutun|was anzutun|wehtun|weh tun|weh zu tun|fertigmachen|kaltmachen|kalt machen|beseitigen|bezahlen lassen|leiden lassen)';

export const GERMAN_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(abschiedsbrief*|briefe?|testament|zettel|passwörter|lebewohl|videos?)',
    '(verschenkt|verschenke|weggegeben|weggebe|verabschiedet|verabschieden|verabschiede|abschied)',
    '(kümmerst|kümmere|kümmert|sorgst|aufpassen|passt) .. (katze|hund|mama|bruder|schwester|kinder*)',
  ],
  afterMe: [
    '(wenn|sobald|falls|bis|weil) ich (dann |mal |erst |endlich )*(tot|weg|nicht mehr (da|bin|lebe|hier)|sterbe|gestorben|gehe für immer|es tue|es mache|gegangen)',
    '(nach|vor) meinem (tod|suizid|selbstmord|ableben)',
    '(bevor|ehe) ich (gehe|sterbe|es tue|für immer)',
    '(für immer|endgültig) (gehe|gehen|verabschied*)',
  ],
  better: [
    '(besser|leichter|einfacher|glücklicher|froh|erleichtert|erleichterung|freier|ruhiger|gefallen|entlastet|gut dran|aufatmen)',
  ],
  withoutMe: [
    'ohne mich (dran|da|hier|wären|wäre|hätten|ginge|geht|leben)?',
    '(wenn|als) (ich|es mich) (einfach |endlich |nur |gar |nie |nicht )*(tot|weg|verschwinde|verschwunden|sterbe|sterben würde|nicht mehr (da|bin|wäre|lebe|gäbe|existiere)|da wäre|existier*|geboren|gäbe|mehr gäbe|mehr da|mehr bin)',
  ],
  noReason: [
    '(kein|keinen|keine|keiner|welchen|null) (einzigen |richtigen |guten |mehr )*(grund|gründe|sinn|hoffnung|kraft|zweck|ausweg|zukunft|perspektive)',
    '(nichts|niemand|niemanden) .. (hält|hielte|lohnt|mehr wert)',
    '(wozu|wofür|warum|weshalb) (soll|sollte|noch|überhaupt|eigentlich)',
    '(weiss|sehe|seh|versteh*) (nicht|nicht mehr) (mehr )?(wozu|wofür|warum|weshalb)',
    '(was hat das|was bringt es|was soll das|hat das alles|hat alles|macht alles) .. (sinn|noch|alles)',
  ],
  goOn: [
    '(weiterzumachen|weitermachen|weitermache|weiterzuleben|weiterleben|weiterlebe|zu leben|aufzustehen|aufstehen|aufstehe|aufzuwachen|aufwachen|aufwache|am leben (zu )?(bleiben|bleibe|bin|sein)|durchzuhalten|durchhalten|zu existieren|existieren|existiere|weiter zu machen|zu atmen|weiterkämpfen|weiterzukämpfen|da zu sein|zu bleiben|morgens)( soll| sollte| kann)?(?! (mit (dem|der|diesem)|in (dieser|der)|wenn du))',
    'hält mich (noch |mehr )*(hier|am leben|auf dieser welt|in diesem leben)',
  ],
  means: [
    '(tabletten|pillen|schlaftabletten|medikamente|schmerzmittel|paracetamol|insulin|überdosis)',
    '(seil|strick|schlinge|gürtel)',
    '(brücke|dach|dachkante|klippe|balkon|gleise|gleisen|bahnsteig|zug|hochhaus|fenster|autobahn|parkhaus|u bahn)',
    '(klinge|messer|pistole|waffe|gewehr|auto|gas|abgase)',
  ],
  useUp: [
    '(gesammelt|sammle|sammeln|gehortet|horte|gespart|aufgehoben|gezählt|zähle|bereitgelegt) .. (genug|damit|für|bis|um|dass|und)',
    '(genug|genügend|reichen|reicht) .. (nie wieder|nicht mehr|sterben|aufzuwachen|aufwache*|zu sterben|ende|einzuschlafen)',
    '(um|an) (den|meinen|meinem) (hals|kopf|schläfe|kehle)',
    '(springen|spring|zu springen|gesprungen|runterspringen|herunterspringen|loslassen|loszulassen|fallen lassen|fallen zu lassen|davor werfen|davorwerfen|werfen|einen schritt|ein schritt|nur ein schritt|gegen (einen|den) baum|in den gegenverkehr)(?! (wir|ins (wasser|becken)|in den (see|pool)))',
    '(nie wieder|nicht mehr|nie mehr) (aufwachen|aufzuwachen|aufwache)',
    '(alles|dann) (wäre|wär|ist|hat|hätte) (es |alles |endlich |sofort |schnell )*(vorbei|ein ende|ruhe|frieden|zu ende)',
    '(alle|alles|sie alle|auf einmal) (auf einmal |zusammen |jetzt |heute )*(schlucken|nehmen|einnehmen|zu nehmen|zu schlucken|runterschlucken|nehme|schlucke)',
  ],
  story: [
    '(wir|sie will|er will|fluss|see|pool|meer|wache|wächter|ritter|drache*|dämon|vampir|fallschirm|bungee|pferd|burg|könig*|schiff|pirat*|film|roman|spiel|kapitel|figur|kaffee|pizza|wecker|pflanzen?|handy|akku|vitamine|antibiotika|umzug|klingelt|büro)',
  ],
  wish: [
    '(ich|mir) .. (wünschte|wünsche|hoffe|hoff|bete|träume|wär froh|wäre froh|hätte nichts dagegen|stelle mir vor|will|möchte)',
    '(wünschte|wünsche|hoffe|hoff|bete|hoffentlich|am liebsten|hätte nichts dagegen|wäre froh|wär froh|wenn doch|würde doch)',
  ],
  mishap: [
    '(laster|lkw|auto|zug|bus|blitz|jemand|flugzeug|etwas|krebs|gott) .. (mich|mir) .. (überfahr*|umfahr*|erfass*|treff*|trifft|töt*|umbring*|erschlag*|erschiess*|hol*|nehm*|nimmt|erwisch*)',
    '(überfahren|vom blitz getroffen|erschossen|überrollt|angefahren) (werde|würde|zu werden|werden)',
    '(krebs|tödliche krankheit|unheilbar*|herzinfarkt|hirntumor|tumor) (hätte|bekomme|kriege|bekäme|habe|krank|zu bekommen)',
    '(mein herz) .. (stehen|aufhör*|stillsteh*|stehenbleib*)',
    '(nicht|nie|nie wieder|nie mehr|nicht mehr) (mehr )?(aufwach*|aufzuwachen|wach werde)',
    '(unfall) .. (sterb*|tot|tödlich|überleb*|umkomm*)',
  ],
  dying: ['(sterben|zu sterben|tod|tot|tot zu sein|totsein|selbstmord|suizid|sterbe|todessehnsucht)'],
  relief: [
    '(okay|ok|in ordnung|erlaubt|nicht schlimm|nichts schlimmes|darf ich|erlaube mir|erlaubnis) .. (sterben|zu sterben|gehen|sterbe|tot)',
    '(tod|sterben|totsein|tot zu sein|selbstmord|suizid) .. (erlösung|frieden|friedlich|erleichterung|lösung|ausweg|befreiung|schöner|schön|leichter|besser|tröstlich|ruhe|weg|freund|einzige*)',
    '(einzige|einziger|einzigen|letzte|letzter) (ausweg|lösung|weg|möglichkeit|option) .. (tod|sterben|selbstmord|suizid)',
    '(sehne|sehn|sehnsucht|freue|warte) .. (tod|sterben|tot zu sein)',
    '(beneide|neidisch auf) .. (tot|toten|gestorben|verstorben*)',
    '(denke|denk|gedanken|dran|daran) .. (ständig|immer|jeden tag|nur noch|dauernd|die ganze zeit|oft) .. (tod|sterben|tot zu sein|suizid)',
    '(ständig|immer|jeden tag|nur noch|dauernd|die ganze zeit|oft) .. (ans|an den|ans) (sterben|tod)',
  ],
  gone: [
    '(ich )?(will|möchte|mag|mag einfach) (einfach |echt |wirklich |nur |gar )*nicht mehr (hier sein|da sein|dasein|existieren|hier bleiben|sein|auf der welt sein|auf dieser erde sein)(?! (in (dieser|der) (stadt|schule)|bei))',
    '(will|möchte|würde gern|würde gerne|könnte|wünschte ich könnte) .. (für immer|ewig|nie wieder aufzuwachen|einfach) (schlafen|einschlafen|verschwinden|aufhören zu atmen|weg sein|ausgelöscht)',
    '(werde|wird|bin|erlebe|werd) (ich )?(nächste woche|nächsten monat|nächstes jahr|morgen|bald|weihnachten|meinen (nächsten )?geburtstag|den (sommer|frühling|winter|morgen)|das neue jahr) (nicht mehr|nicht|wohl nicht|nicht mehr mit)( mehr)? (leben|da sein|erleben|am leben|miterleben|da|hier sein)',
    '(erlebe|schaffe|erreiche|überlebe|überstehe) .. (weihnachten|geburtstag|sommer|nacht|woche|jahr|silvester) (nicht|wohl nicht|nicht mehr)',
    '(mein|meine) (letzte|letzter|letztes|letzten) (nacht|weihnachten|geburtstag|sommer|abend|sonnenuntergang|sommerferien) (auf|sein|werden|bevor|ever|überhaupt)',
    '(wenn|bis) (du|ihr) (das|dies|diese nachricht) (liest|lest|findet|findest) .. (bin ich|werde ich) .. (tot|weg|nicht mehr|fort|gegangen)',
    '(diese|dieser|die|der) (welt|erde) (endlich |für immer |bald )*(verlassen|zu verlassen)',
    '(habe|hab) .. (tag|datum|ort|methode|stelle) .. (ausgesucht|gewählt|festgelegt|entschieden) .. (sterb*|tod|ende|gehe|tue|mache)?',
    '(hätte|sollte|dürfte) .. (nie|nicht|niemals|gar nicht) (geboren|existieren|leben|auf der welt)',
    '(denke|denk|dachte|überlege|überleg) .. (es zu beenden|alles zu beenden|alles hinzuschmeissen für immer|nicht mehr da zu sein|mir das leben|nicht mehr zu leben|schluss zu machen mit)',
  ],
  wound: [
    '(ich|habe|hab|mir|mich) .. (ritze|geritzt|ritzen|schneide|geschnitten|schneiden|aufgeschnitten|eingeritzt|verbrannt|verbrenne|verbrennen|aufgekratzt|kratze|gekratzt|zerkratzt|gebissen|beisse|beissen|schlage|geschlagen|gestochen|ausgedrückt|gedrückt|drücke|halte|gehalten|aufschneiden|reingeschnitten)',
    '(ritze|ritzen|schneide|verbrenne|kratze|schlage|beisse|drücke|halte) (ich )?(mir|mich)',
  ],
  flesh: [
    '(arm|arme|armen|unterarm*|handgelenk*|pulsadern|oberschenkel*|bein|beine|beinen|haut|bauch|körper|hand|hände|hüfte|schulter|adern|fleisch|knöchel)',
  ],
  blade: [
    '(klinge|klingen|rasierklinge*|messer|cutter|schere|feuerzeug|zigarette|zigaretten|scherbe|scherben|nadel|zirkel|spitzer|skalpell|bügeleisen|teppichmesser)',
    '(wort|worte|wörter|namen|buchstaben)',
    '(blut|blutet|bluten|blutete|geblutet)',
  ],
  because: [
    '(absichtlich|mit absicht|bestrafe|bestrafen|strafe|verdient|verdiene|hasse|selbsthass)',
    '(um|damit|weil) .. (spüre|spüren|zu spüren|fühlen|zu fühlen|fühle|aushalte|betäuben|beruhig*)',
    '(beruhigt|beruhigen|klarkomm*|einzige|hilft|erleichter*|druck|abbauen|ruhe|kontrolle|schmerz|taub|leere|ventil)',
    '(wieder|immer wieder|jeden (tag|abend)|jede nacht|rückfall|rückfällig|heimlich|seit (ich|jahren|monaten|wochen)|niemand (weiss|merkt)|süchtig|drang|nicht aufhören)',
    '(wenn es mir schlecht|wenn ich traurig|wenn alles zu viel|wenn ich wütend)',
  ],
  hurtMyself: [
    '(mich|mir) (selbst |selber |wieder |heute |absichtlich |immer )*(verletzen|verletze|verletzt|zu verletzen|weh (zu )?(tun|tue|getan)|wehtun|wehzutun|ritze|ritzen|zu ritzen|geritzt|schneide|schneiden|zu schneiden|geschnitten|schlage|schlagen|zu schlagen|verbrenne|verbrennen|hungern|bestrafen|bestrafe)',
    '(ritze|verletze|schneide|schlage|verbrenne|bestrafe) (ich )?mich',
    '(das )?(ritzen|schneiden|selbstverletz*) (ist|beruhigt|hilft|war|macht)',
    '(kopf) .. (gegen|an) (die|eine|der) wand',
  ],
  marks: [
    '(verstecke|verstecken|verdecke|verdecken|langärm*|lange ärmel|pullover|verberge) .. (narben|schnitte|wunden|ritz*|arme|verbände)',
    '(narben|schnitte|wunden|schnittwunden) .. (ritz*|selbst zugefügt|von der klinge|von gestern|an meinen armen)',
    '(ich|drang|verlangen|bedürfnis|will|möchte|muss) .. (mich|mir) (wieder |selbst |selber |einfach |unbedingt |jetzt |gerade )*(zu )?(verletzen|weh zu tun|weh tun|wehtun|ritzen|schneiden|zu ritzen|zu schneiden|wehzutun|was anzutun)',
    '(blut) (sehen|fliessen sehen|zu sehen|laufen)(?! (von|auf dem schlachtfeld))',
    '(rückfall|rückfällig) .. (ritz*|klinge|geschnitten|svv)',
    '(klinge|rasierklinge|klingen) .. (versteckt|handyhülle|unterm bett|unter dem bett|ruft|einzige|beruhigt)',
  ],
  accident: [
    '(versehen|versehentlich|unfall|küche|kochen|beim (kochen|rasieren|sport|backen|schneiden|spielen|training|bügeln)|zwiebel*|gemüse|karotte*|kuchen|brot|haare|herd|ofen|pfanne|kaffee|tee|katze|hund|rosen|dornen|arzt|impf*|tattoo|drache*|schwert|dämon|vampir|gestolpert|gestürzt|hingefallen|papier)',
  ],
  attack: [
    `${WILL} .. ${ECHT} .. ${STECHEN}`,
    `(ersteche|erschiesse|vergifte|ermorde|erwürge|erschlage|steche|knalle) (ich )?(heute |morgen |jetzt |heute nacht |nach der schule )*${ECHT}`,
    `${WILL} .. (messer|pistole|waffe|bombe|gewehr) .. (schule|arbeit|klasse|uni|büro) .. (mitnehmen|bringen|mitbringen|nehmen)`,
    `${WILL} .. (schule|büro|kirche|firma|haus) .. (anzünden|in die luft (sprengen|jagen)|sprengen|niederbrennen|abfackeln)`,
    '(amok) (laufen|zu laufen|laufe)',
    '(ich|will|werde|plane) .. amoklauf',
    `(angst|fürchte) .. (dass ich|ich könnte) .. ${ECHT} .. (umbringe|töte|verletze|erwürge|etwas antue|was antue|verletzen|töten|umbringen)`,
    `(denke|denk|träume|stelle mir) .. (wie|daran|davon) .. ${ECHT} .. (umbring*|umzubringen|töte|zu töten|erstech*|zu erstechen|vergift*|erwürg*)`,
  ],
  kill: [
    `${WILL} .. ${ECHT} .. ${TOETEN}`,
    `(bringe|bring) (ich )?(heute |morgen |jetzt |nacht |abend |früh |noch |bald )*${ECHT} .. um`,
    `(töte|verletze|kille) (ich )?(heute |morgen |jetzt |heute nacht )*${ECHT}`,
    `${ECHT} (muss|wird|soll|müssen|werden) .. (sterben|bezahlen|büssen)`,
  ],
  soon: [
    '(heute|heute nacht|heute abend|morgen|jetzt|gleich|bald|übermorgen|(am )?(montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)|nächste woche|nach der (schule|arbeit)|im schlaf|wenn (er|sie) (schläft|heimkommt|nach hause kommt|allein ist)|in der schule|nachts)',
    '(messer|pistole|waffe|gewehr|axt|hammer|gift|benzin|knarre)',
    '(geplant|plan|beschlossen|entschlossen|plane|vorbereitet)',
  ],
  play: [
    '(haha*|lol|xd|hihi|hehe|spass beiseite nein|scherz)',
    '(wenn (er|sie|du|es) .. (nochmal|wieder|mein|meine|meinen|die letzte|spoiler*))',
    '(im|beim|in) (spiel|spielen|minecraft|schach|film|buch|roman|kapitel|theaterstück|stück|rollenspiel|videospiel|mario kart)',
    '(ork|drache*|goblin|dämon|vampir|könig|königin|thron|prinz*|königreich|schwert|burg|held|elf|zauberer|ritter|nerf|wasserpistole|schneeball*|wasserbomben|fotos?|kuchen|pizza|keks|kissen|kitzeln|umarmung*|überraschung|fernbedienung)',
    '(nicht|nie|niemals) (wirklich )?(umbringen|töten|verletzen|wehtun)',
    '(gefühle)',
  ],
};
