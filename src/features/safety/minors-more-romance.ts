import type { MoreWords } from './minors-patterns.ts';
import { FURTHER, namedAge } from './minors-more-parts.ts';

const NO_NAMES_ES =
  'a|de|en|unos|quizas?|si|no|bueno|pues|cuarto|pagina|capitulo|numero|nivel|solo|entonces|ahora|oh|ah|o|y|lunes|martes|miercoles|jueves|viernes|sabado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre';
const ES_ON = FURTHER('y|hasta|mientras|con|por|despacio|fuerte|otra|toda|en la cama');
const ES_KIN = '(?:hij[oa]s?|nin[oa]s?|herman[oa]s?|sobrin[oa]s?|niet[oa]s?|bebe|peques?)';
const ES_SPOUSE = '(?:marido|mujer|esposo|esposa|novi[oa]|pareja)';
const ES_PAIR = `(?:nosotros|(?:mi|su) ${ES_SPOUSE} y (?:yo|el|ella)|(?:yo|el|ella) y (?:mi|su) ${ES_SPOUSE})`;

const ES_MORE: MoreWords = {
  harmless: [
    'coger(?:la|me|te|lo) (?:de|por|en brazos|al vuelo|desprevenid)[a-z]*',
    '(?:ensena|da clases?|maestr[oa]|profesora?|imparte)[a-z]* (?:[a-z]+ ){0,3}(?:primaria|secundaria|primero|segundo|tercero|cuarto|quinto|sexto|bachillerato|instituto)',
    '(?:si|quien|quienes) [^.!?\\n]{0,20}(?:menor|mayor)(?:es)? de (?:edad|18)[^.!?\\n]{0,10}',
    'polla de agua|pecho~ de pollo',
    '(?:tiene|tengo|tenemos|tenia) (?:un|una|dos|tres|cuatro|[1-9]) nin[oa]s?',
  ],
  loose: [
    `${ES_KIN}(?: [a-z]+){0,4} (?:todavia no|aun no|no) (?:tiene|cumple) (?:18|dieciocho)`,
    `desde (?:la primaria|la secundaria|primero|segundo|tercero|cuarto|quinto|sexto)(?: de (?:primaria|secundaria|eso))?`,
  ],
  strong: [
    '(?:todavia no|aun no|no) (?:tiene|tengo|tienes|cumple|ha cumplido|llega a) (?:los )?(?:18|dieciocho)(?: anos)?(?! (?:euros|hijos|minutos))',
    '(?:cumple|cumplira|cumplo) (?:los )?(?:18|dieciocho) (?:en|el|dentro|pronto|manana|hasta)',
    'no (?:es|soy|eres) (?:todavia |aun )?mayor de edad|por debajo de la edad legal',
    '(?:[1-4](?:o|º|ro|er)?|primero|segundo|tercero|cuarto|octavo|septimo|sexto|quinto) (?:de )?(?:la )?(?:eso|secundaria|primaria|bachillerato|grado|basico)',
    '(?:alumn[oa]|estudiante) de (?:primaria|secundaria|quinto|sexto|septimo|octavo|noveno|instituto|bachillerato)|clase de (?:quinto|sexto|septimo|octavo|noveno)',
    '(?:chic[oa]|nin[oa]|muchach[oa]|jovencit[oa]) de (?:solo |apenas )?N(?! (?:hermanos|hijos|personas))',
    'fiesta de quince|sus quince(?= anos|[.,;]|$)|sus xv',
    '(?:solo|apenas|recien) (?:tiene |tengo |con )?T(?= ?[.,;!]| se | y |$)',
    '(?:no llega|no llego|sin llegar) a los (?:N|18)',
    namedAge(NO_NAMES_ES),
  ],
  weak: [],
  act: [
    '(?:hacemos|hicimos|hago|haces|hice|haran) el amor|(?:tenemos|tuvimos|tengo|tuve) (?:sexo|relaciones)',
    'foll(?:amos|aron|aste|ado|aba|aban|arme|arte|arse|arla|arlo|emos|en|e|aras|ar)',
    '(?:me|te|se) (?:la|lo) (?:foll|tir|cog|mont|meti|mete|chup|mam|clav|cepill)[a-z]*',
    '(?:chup|mam|lam|com)[a-z]* (?:la polla|la verga|el cono|la pija|el pito|el pene|el coño|sus (?:tetas|pezones|pechos)|entre (?:las|sus) piernas)',
    'la polla|la verga|el coño|tetas|sus pechos|sus senos|su entrepierna|su sexo|ereccion|culo desnudo',
    `(?:entra|entro|entrando|penetra|metio|mete) (?:[a-z]+ ){0,2}(?:dentro de|en) (?:ella|el|mi|ti)${ES_ON}`,
    `(?:se )?(?:corre|corrio|corri|correrse|viene|vino|vengo|eyacul[a-z]*|acab[ao]) (?:dentro(?= de (?:ella|el|mi|ti)| ?[.!]|$)|en (?:ella|su (?:boca|cara)))|se corre${ES_ON}|eyacul[a-z]*`,
    'le (?:mete|metio|mete la|pone la) (?:la )?mano (?:en|bajo|por|entre) (?:las bragas|la falda|el pantalon|las piernas|el sujetador)|mano (?:en|bajo|por) (?:la falda|las bragas)',
    '(?:la|lo|me|te) (?:toma|tomo|coge|cogio|monta|embiste|embistio) (?:por|desde|de) (?:detras|atras)|a cuatro patas y (?:la|lo|me)',
    '(?:le|me|te) (?:quita|arranca|baja) (?:las bragas|el sujetador|los calzoncillos|las pantis|el tanga)',
    '(?:quita|quitar|quito|perd(?:er|io|i)|rob[ao]) (?:la|su|mi) virginidad|acostar(?:se|me|nos) con (?:el|ella|mi)|se acuestan(?= juntos|[.,!]|$)',
    'echa(?:r|n|ron|mos)? un polvo|un polvo con|rapidito|se (?:pajea|masturb)[a-z]*|hace(?:r|n)? una paja|paja a',
    '(?:toquete|magre|sobete)[a-z]*|partes intimas|(?:foto|fotos) (?:intima|desnud|sin ropa|picante)[a-z]*|abrir? (?:las|sus) piernas (?:para|a) (?:el|ella|mi)',
    'sexo oral|orgasm[a-z]*|llega(?:r)? al (?:orgasmo|climax)|puta|zorra',
  ],
  topic: [],
  couple: [
    `${ES_PAIR} (?:[a-z]+ ){0,3}(?:(?:hacemos|hicimos|tenemos|tuvimos|hacen|tienen) (?:el amor|sexo|relaciones)|follamos)(?! con )`,
    '(?:hacemos|hicimos) el amor(?! con )|(?:tenemos|tuvimos) (?:sexo|relaciones)(?! con )|(?:,|y|asi que|luego|;) follamos(?! con )',
    `(?:sexo|el amor) con (?:mi|su) ${ES_SPOUSE}`,
  ],
  aside: [
    '(?<!(?:tiene|tengo|tienes|tenia|de|con|edad:?|[.,;:]|^) ?)N anos(?= (?:en|como|sin|de (?:experiencia|vida|lucha|servicio|exilio|guerra|entrenamiento))(?![a-z]))',
    '(?:vivi|trabaj|estudi|pas|dur|estuv|sirvi|llev|tard|practic|entren|viaj|luch|dedic|compart|gobern|rein|exili|conden)[a-z]*\\s(?:(?!(?:y|tiene|tengo|tienes|con)\\s)[a-z]+\\s){0,2}N anos',
    '(?:adolescentes|colegialas|alumn[oa]s|nin[oa]s|menores) (?:de|en|del) [^.;\\n]{0,25}|colegialas|ensena [^.;\\n]{0,30}',
  ],
};

const FR_KIN = '(?:fille|fils|enfants?|frere|soeur|niece|neveu|bebe|petite?s?|gamine?s?)';
const FR_SPOUSE = '(?:mari|femme|copain|copine|compagnon|compagne|epoux|epouse|amie?|conjointe?)';
const FR_PAIR = `(?:nous|(?:mon|ma|sa|son) ${FR_SPOUSE} et (?:moi|lui|elle)|(?:moi|lui|elle) et (?:mon|ma|sa|son) ${FR_SPOUSE})`;
const FR_ON = FURTHER('et|jusqu|pendant|avec|lentement|fort|encore|toute|sur|contre');

const FR_MORE: MoreWords = {
  harmless: [
    '(?:enseign|professeur|prof|institut|maitresse|maitre)[a-z]* (?:[a-z]+ ){0,3}(?:cm1|cm2|ce1|ce2|cp|sixieme|cinquieme|quatrieme|troisieme|college|lycee|primaire|maternelle)',
    '(?:a|ai|as|avons|ont|avait) (?:deux|trois|quatre|[2-9]) (?:petits |jeunes |grands )?(?:enfants?|gosses?)',
    'lui baise (?:la|les) main~|(?:un|le|ce|doux|premier|dernier) baisers?',
    '(?:si|ceux qui|quiconque) [^.!?\\n]{0,25}(?:mineur|majeur|18 ans)[a-z]*',
  ],
  loose: [
    `${FR_KIN}(?: [a-z]+){0,4} (?:n'a|n'aura) (?:pas encore |que )?(?:18|dix huit) ans`,
    `depuis (?:la |le )?(?:cm1|cm2|sixieme|cinquieme|quatrieme|troisieme|college|lycee)`,
  ],
  strong: [
    "(?:n'a|n'ai|n'as|n'aura|ont) (?:pas encore |pas |que |meme pas )(?:18|dix huit)(?: ans)?",
    "(?:aura|fetera|va avoir) (?:ses )?(?:18|dix huit) ans|pas (?:encore )?majeure?|n'est pas (?:encore )?majeure?|sous l'age legal",
    '(?:en|de|au|son|sa) (?:cm1|cm2|ce1|ce2|sixieme|cinquieme|quatrieme|troisieme|seconde|premiere|terminale)(?= ?[.,;!)]| au | a la |$)(?<!en premiere)(?<!de (?:seconde|premiere|troisieme))',
    "(?:en|de|eleve de|lyceen~ de) (?:premiere|seconde|terminale) (?:au|du|d'un) lycee|annee (?:de|au) (?:college|lycee)",
    'classe de (?:cm1|cm2|sixieme|cinquieme|quatrieme|troisieme|seconde)',
    'eleve de (?:sixieme|cinquieme|quatrieme|troisieme|seconde|primaire)',
    '(?:garcon|fille|fillette|gamine?|jeune) de (?:seulement |a peine )?N ans',
    "(?:que|qu') ?N ans|a T ans a peine|a seulement T ans",
    namedAge(
      'a|de|en|vers|environ|oui|non|bon|alors|chambre|page|chapitre|numero|niveau|seulement|puis|maintenant|oh|ah|ou|et|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre',
    ),
  ],
  weak: [],
  act: [
    "(?:fais|faisons|faites|fera|feront|firent|avons fait|ai fait) l'amour",
    "(?:il|elle|on|je|tu|ils|elles|qui|nous|vous|me|te|se|la|les) (?:la |le |les |l'|me |te |se |nous )?bais(?:e|es|ent|ait|ons|ez|aient)(?! (?:la main|les mains|la joue|le front|sur|leurs? main|pavillon|les pieds|l'anneau))|(?:la|me|te|se|les|nous) baiser|(?:s'est|se sont|ont|a|ai|l'a|m'a) (?:fait )?baisee?s?|baise[rz] moi",
    `(?:entr|penetr|s'enfonc|s'introdui|gliss)[a-z]* (?:[a-z]+ ){0,2}en (?:elle|lui|moi|toi)${FR_ON}|(?:la|le|me|te) penetre[a-z]*`,
    '(?:suc|lech)[a-z]* (?:sa|la|ma|son|le|mon) (?:bite|queue|chatte|sexe|clito|gland|verge|penis|cul)|(?:la|le|me|te) suce~|(?:la|le|me|te) leche (?:entre|la|le)|le prend en bouche|(?:une|la) pipe (?:a|au)|taille une pipe|fait une pipe',
    '(?:la|le|me|te) (?:prend|prit|prends) (?:par derriere|en levrette|sauvagement)|levrette',
    `(?:jouit|jouir|ejacul|gicl)[a-z]* (?:en elle|en moi|dans (?:sa|ma) bouche|sur)|ejacul[a-z]*|(?:la|le|me|te) fai(?:t|s|sait) jouir`,
    "s'envoi~ en l'air|tir(?:e|er|ent|ons|e) un coup|branl[a-z]*|doigt(?:e|er|a|ait) (?:la|le|elle)|(?:la|me|te|se) doigte",
    '(?:main|doigts?) (?:[a-z]+ ){0,2}(?:dans (?:sa|ma|ta) culotte|sous (?:sa|ma|ta) jupe|entre (?:ses|mes|tes) (?:cuisses|jambes))|(?:lui|me|te) (?:enleve|retire|arrache|baisse) (?:sa|ma|ta|la) culotte',
    'ses seins|mes seins|tes seins|sa chatte|sa bite|nichons|salope|pute|erection~|parties intimes|ecart[a-z]* (?:les|ses) (?:jambes|cuisses) (?:pour|devant)',
    '(?:prend|prendre|pris|vole|vol[a-z]*|perd|perdu) (?:sa|ma|leur) virginite|photos? (?:intimes?|denud[a-z]*|nues?|sans vetements)|rapport (?:intime|charnel)~',
    'couch(?:e|er|ent|ons|ait|aient|e) (?:avec (?:elle|lui|moi|toi|son|sa)|ensemble)',
  ],
  topic: [],
  couple: [
    `${FR_PAIR},? (?:[a-z]+ ){0,3}(?:(?:faisons|avons fait|fait|faisions|font)(?: encore| toujours| souvent| rarement| enfin)? l'amour|couchons ensemble|baisons)(?! avec )`,
    `fai(?:s|t|re) l'amour (?:a|avec) (?:mon|ma|son|sa) ${FR_SPOUSE}`,
    `(?:elle|lui|il) et (?:son|sa) ${FR_SPOUSE} font l'amour`,
  ],
  aside: [
    "(?<!(?:a|ai|as|avait|de|age~|age:?|que|qu'|[.,;:]|^) ?)N ans(?= (?:en|dans|comme|au|aux|sans|d'exil|de (?:lutte|guerre|vie|service|travail))(?![a-z]))",
    '(?:passe|vecu|travaill|dure|reste|servi|etudi|mis|purge|regne|attendu|combattu|voyage)[a-z]*\\s(?:(?!(?:et|a|ai|as|de)\\s)[a-z]+\\s){0,2}N ans',
    'ecolieres|ecoliers|collegiens|lyceens|lyceennes|fillettes|(?:eleves|enfants|ados|adolescents|jeunes|filles|garcons) (?:de|du|en|au) [^.;\\n]{0,25}',
  ],
};

const IT_SPOUSE = '(?:marito|moglie|ragazz[oa]|fidanzat[oa]|compagn[oa]|partner)';
const IT_PAIR = `(?:noi|(?:io|lui|lei) e (?:mi[oa]|su[oa]|il mio|la mia|il suo|la sua) ${IT_SPOUSE}|(?:(?:il|la) )?(?:mi[oa]|su[oa]) ${IT_SPOUSE} ed? (?:io|lui|lei))`;
const IT_ON = FURTHER('e|fino|mentre|con|piano|forte|ancora|sul|nel|tutta');

const IT_MORE: MoreWords = {
  harmless: [
    '(?:con|e|prende|prendi|prendere|usa|usare|impugna|sulla|dietro|manico della|passa|passare|posa) (?:la|una) scopa',
    '(?:ha|ho|hanno|abbiamo|aveva) (?:un|una|due|tre|quattro|[1-9]) (?:bambin[aeio]|bimb[aeio])',
    '(?:insegn|maestr|profess)[a-z]* (?:[a-z]+ ){0,3}(?:elementar[ei]|medi[ae]|liceo|asilo)',
    '(?:se|chi) [^.!?\\n]{0,25}(?:minorenn|maggiorenn|18 anni)[a-z]*',
    "va(?:nno|i|do)? a letto (?:presto|tardi|sol[oa]|alle|senza)|letto con (?:la febbre|l'influenza|il raffreddore|un libro|il (?:cane|gatto|peluche))",
  ],
  loose: [
    '(?:figli[oa]|fratell[oa]|sorella|nipot[ei])(?: [a-z]+){0,4} (?:non ha ancora|non ha|ha solo) (?:18|diciotto) anni',
    'd?alle (?:elementari|medie)|dai tempi (?:del liceo|della scuola)',
  ],
  strong: [
    '(?:non ha|non ho|non hai|non ha compiuto) (?:ancora )?(?:18|diciotto)(?: anni)?|(?:compie|compira|compio) (?:i )?(?:18|diciotto)(?: anni)? (?:a|il|fra|tra|solo|presto|domani)',
    "non (?:e|sono|sei) (?:ancora )?maggiorenne|sotto l'eta (?:legale|del consenso)",
    '(?:prima|seconda|terza|quarta|quinta|[1-5]a?) (?:elementare|media|liceo|superiore|ginnasio)|anno (?:delle medie|di liceo|delle superiori|delle elementari)',
    '(?:alunn[ao]|studentessa|studente) di (?:prima|seconda|terza|quarta|quinta) (?:media|elementare)',
    '(?:ragazz[oa]|bambin[oa]|bimb[oa]) di (?:appena |soli )?N(?: anni)?(?! (?:fratelli|persone))|a soli T anni',
    namedAge(
      'a|di|in|verso|circa|si|no|bene|allora|stanza|pagina|capitolo|numero|livello|solo|poi|adesso|oh|ah|o|e|lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre',
    ),
  ],
  weak: [],
  act: [
    "(?:faccio|fai|facevano|abbiamo fatto|hanno fatto) (?:sesso|l'amore)",
    `(?:lui|che|poi|egli|me|te|se) la scopa${IT_ON}|(?:mi|ti|si|ci|lo|li|vi) scop(?:a|o|i|ano)|(?:^|[.!?*]\\s?)la scopa(?= ?[.!*]| con forza| sul letto)|scop(?:iamo|ando|are|arono|ato|arsi)|chiav(?:are|ata|arono|iamo|arla)|tromb(?:are|ano|iamo|arla)`,
    `(?:entra|entro|entrare|penetra|spinge|affonda) (?:[a-z]+ ){0,2}(?:dentro di|in|dentro) (?:lei|lui|me|te)${IT_ON}`,
    '(?:succhia|lecca|bacia|prende) (?:il (?:cazzo|pene|membro|suo membro|suo sesso)|la figa|i capezzoli|fra le gambe|tra le (?:gambe|cosce))|(?:glielo|me lo|te lo|lo) (?:succhia|prende in bocca|succhio)|in bocca il',
    '(?:la|lo|mi|ti) (?:prende|prese|prendo) (?:da dietro|a pecorina|con forza)|pecorina|sveltina|sega a|fa(?:rsi|re)? una sega',
    `(?:viene|venne|vengo|venire|sborr[a-z]*|eiacul[a-z]*) (?:dentro (?:di )?(?:lei|me|te)|in (?:lei|bocca|faccia))|(?:le|mi|ti) viene dentro|sborr[a-z]*|eiacul[a-z]*|(?:la|lo|mi) fa (?:venire|godere)${IT_ON}`,
    '(?:mano|dita) (?:[a-z]+ ){0,2}(?:nelle (?:mutand|mutandin)[a-z]*|sotto la gonna|nei pantaloni|fra le (?:gambe|cosce)|tra le (?:gambe|cosce))|(?:le|gli|mi) (?:toglie|sfila|abbassa|strappa) (?:le mutandine|le mutande|gli slip|il reggiseno)',
    '(?:le|sue|tue|mie) tette|il cazzo|erezione~|parti intime|seno nudo|troia|puttana|allarga[a-z]* le (?:gambe|cosce) per',
    '(?:toglie|prende|ruba|perde|perso|tolto) (?:la|le) verginita|verginita|foto (?:intim|nud|hot|senza vestiti)[a-z]*|gli si concede|le si concede|palp(?:a|are|ata|eggia)~',
    'and[a-z]* a letto (?:con|insieme)|va(?:nno)? a letto (?:con (?:lui|lei|me|te)|insieme)|sesso orale',
  ],
  topic: [],
  couple: [
    `${IT_PAIR} (?:[a-z]+ ){0,3}(?:(?:facciamo|abbiamo fatto|fanno)(?: ancora| spesso| raramente)? (?:l'amore|sesso)|scopiamo)(?! con )`,
    `(?:facciamo|abbiamo fatto) (?:l'amore|sesso)(?! con )|(?:sesso|l'amore) con (?:mi[oa]|su[oa]|il mio|la mia) ${IT_SPOUSE}`,
  ],
  aside: [
    '(?<!(?:ha|ho|hai|aveva|di|con|eta:?|[.,;:]|^) ?)N anni(?= (?:in|come|senza|di (?:guerra|lotta|esilio|vita))(?![a-z]))',
    '(?:vissut|viss|lavorat|studiat|passat|durat|rest|servit|viaggi|combatt|regn|attes|dedic|trascors)[a-z]*\\s(?:(?!(?:e|ha|ho|hai|di|con)\\s)[a-z]+\\s){0,2}N anni',
    'liceali|scolarette|minorenni|(?:alunni|bambini|ragazzi|studenti|adolescenti) (?:di|delle|del|della) [^.;\\n]{0,25}',
  ],
};

const PT_SPOUSE = '(?:marido|mulher|espos[oa]|namorad[oa]|companheir[oa]|parceir[oa])';
const PT_PAIR = `(?:nos|a gente|(?:meu|minha|seu|sua) ${PT_SPOUSE} e (?:eu|ele|ela)|(?:eu|ele|ela) e (?:(?:o|a) )?(?:meu|minha|seu|sua)? ?${PT_SPOUSE})`;
const PT_ON = FURTHER('e|ate|enquanto|com|devagar|forte|de novo|na cama|a noite');

const PT_MORE: MoreWords = {
  harmless: [
    '(?:da aulas?|ensina|ensinou|ensinar|professora?) (?:[a-z]+ ){0,3}(?:ano|serie|fundamental|medio|primario)',
    '(?:tem|tenho|temos|tinha) (?:um|uma|dois|duas|tres|[1-9]) (?:criancas?|meninos|meninas)',
    '(?:se|quem) [^.!?\\n]{0,25}(?:menor|maior)(?:es)? de (?:idade|18)[^.!?\\n]{0,10}',
    'quebr[a-z]* o pau|pau (?:da barraca|brasil|de selfie|de arara)',
  ],
  loose: [
    '(?:filh[oa]|irma|irmao|sobrinh[oa]|net[oa])(?: [a-z]+){0,4} (?:ainda nao tem|nao tem|so faz) (?:18|dezoito)',
    'desde (?:o|a) (?:[4-9]o|quarto|quinto|sexto|setimo|oitavo|nono|[4-9]a) (?:ano|serie)',
  ],
  strong: [
    '(?:ainda nao|nao) (?:tem|tenho|tens|fez|completou) (?:os )?(?:18|dezoito)(?: anos)?(?! (?:reais|filhos))|(?:so )?(?:faz|fara|completa) (?:os )?(?:18|dezoito)(?: anos)? (?:em|no|so|daqui|amanha)',
    'nao (?:e|sou|es) (?:ainda )?maior de idade|abaixo da idade (?:legal|de consentimento)',
    '(?:[4-9]o|quarto|quinto|sexto|setimo|oitavo|nono) ano(?! (?:consecutivo|seguido|de (?:casamento|namoro|trabalho|faculdade|medicina|direito|governo)|da faculdade))|(?:[4-8]a|quarta|quinta|sexta|setima|oitava) serie',
    '(?:primeiro|segundo|terceiro|[1-3]o) ano (?:do ensino medio|do colegial|do medio|dela no ginasio|dele no ginasio)|ano (?:dela|dele|no) (?:no )?ginasio',
    '(?:garot[oa]|menin[oa]|rapazinho|mocinha) de (?:so |apenas )?N(?! (?:irmaos|pessoas))|festa de (?:quinze|15)(?: anos)?|N aninhos',
    'com (?:so|apenas|somente) T(?: anos)?',
    namedAge(
      'a|de|em|uns|talvez|sim|nao|bom|entao|quarto|pagina|capitulo|numero|nivel|so|depois|agora|oh|ah|ou|e|segunda|terca|quarta|quinta|sexta|sabado|domingo|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro',
    ),
  ],
  weak: [],
  act: [
    '(?:fazemos|fizemos|faco|fiz|temos|tivemos) (?:sexo|amor)',
    'fod(?:emos|eu|em|ido|endo|ia|iam|e|er|am)|trep(?:a|ar|am|ou|ando|amos|aram) (?:com|na cama|gostoso)|trans(?:ei|amos|aram|ou|ando|a|am|ava)(?= com| no| na|[.,!])',
    `(?:met|enfi|entr|penetr|soc)[a-z]* (?:[a-z]+ ){0,2}(?:nela|nele|dentro (?:dela|dele|de mim))${PT_ON}|(?:ele|ela|eu) come (?:ela|ele|a menina)${PT_ON}|comeu (?:ela|ele)${PT_ON}`,
    '(?:chup|mam|lamb)[a-z]* (?:o|a|os|seu|sua|meu) (?:pau|rola|pinto|buceta|xoxota|caralho|peito|peitos|seios|mamilos?|penis|piroca)|chupa (?:ele|ela|entre)|boquete|punheta~|siririca',
    'o pau (?:dele|dela|meu|em|na|duro)|rola dele|buceta|xoxota|piroca|caralho dele|tetas|seios dela|peitos dela|erecao~|ere[cç]ao',
    `goz(?:a|ou|ar|ando|ei) (?:dentro|nela|na (?:boca|cara)|em)|(?:a|o|me) faz(?:er)? gozar|ejacul[a-z]*`,
    '(?:peg|tom|fod)[a-z]* (?:ela |ele )?(?:por tras|de quatro)|(?:a|o|me) (?:pega|toma|come) (?:por tras|de quatro)|de quatro (?:para|pra) ele|rapidinha',
    '(?:mao|dedos?) (?:[a-z]+ ){0,2}(?:na (?:calcinha|cueca)|dentro da (?:calcinha|cueca|calca)|por baixo da saia|debaixo da saia|entre as (?:pernas|coxas))|(?:tira|arranca|abaixa|puxa)[a-z]* (?:a|sua) (?:calcinha|cueca)|(?:o|seu) sutia (?:dela)?',
    '(?:tir|perd|roub)[a-z]* (?:a|sua|minha) virgindade|partes intimas|fotos? (?:intimas?|sensua(?:l|is)|nuas?|pelad[oa]s?|sem roupa)|abr[a-z]* as pernas (?:para|pra) (?:ele|ela|mim)|sexo oral|passar? a mao (?:nela|nele)|puta|vadia',
  ],
  topic: [],
  couple: [
    `${PT_PAIR} (?:[a-z]+ ){0,3}(?:(?:fazemos|fizemos|fazem|temos|tivemos)(?: ainda)? (?:amor|sexo)|transamos)(?! com )`,
    `(?:fazemos|fizemos|tivemos|temos) (?:amor|sexo)(?! com )|(?:sexo|amor) com (?:o |a )?(?:meu|minha|seu|sua) ${PT_SPOUSE}`,
  ],
  aside: [
    '(?<!(?:tem|tenho|tens|tinha|de|com|idade:?|[.,;:]|^) ?)N anos(?= (?:em|como|sem|de (?:guerra|luta|servico|vida|exilio))(?![a-z]))',
    '(?:viv|trabalh|estud|pass|dur|fic|serv|lev|pratic|trein|viaj|lut|dedic|govern|rein)[a-z]*\\s(?:(?!(?:e|tem|tenho|tens|com)\\s)[a-z]+\\s){0,2}N anos',
    'colegiais|(?:alunos|alunas|criancas|adolescentes|menores|meninos|meninas) (?:de|do|da|em|entre) [^.;\\n]{0,25}',
  ],
};

/** In the order of the lists that they go on with. */
export const ROMANCE_MORE: readonly MoreWords[] = [ES_MORE, FR_MORE, IT_MORE, PT_MORE];
