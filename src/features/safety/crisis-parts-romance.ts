import type { CrisisParts } from './crisis-parts.ts';

const VEUX =
  '(je veux|jveux|je vais|jvais|je voudrais|j aimerais|j’ai envie|j’ai décidé|je compte|je pense|je prévois|je dois|je suis prête?|j’ai l’intention|je rêve|je jure de|je n’arrête pas de penser|je songe|je suis sur le point)( vraiment| sérieusement)?( de| à| d’| d)?';
const REEL =
  '((mon|ma|mes|notre|nos|un|une|les|tous les|la|des) (petite? |grande? |propre |ex |vieux |sale )*(père|papa|mère|maman|parents|frère|soeur|ex|femme|mari|copain|copine|compagnon|compagne|patron|patronne|chef|collègues?|voisins?|voisine|profs?|professeur|maîtresse|camarades?|classe|école|fils|fille|enfants?|bébé|famille|oncle|tante|grand père|grand mère|beau père|belle mère|coloc|colocataire|proprio|propriétaire|harceleurs?)|(tout le monde|tous|les gens|quelqu un) (au|à|dans|de) (le |la |ma |mon |l )?(lycée|école|collège|travail|bureau|boulot|classe))';

export const FRENCH_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(lettres?|mot d’adieu|testament|adieux?|mots de passe|vidéos? d’adieu)',
    '(donné|donne|distribué|légué) .. (affaires|chat|chien|vêtements|jeux|tout)',
    '(dit|dire|fait|faire) .. (au revoir|adieux?)',
    '(occuperas|occupe|prends soin|prendras soin|veille) .. (chat|chien|mère|soeur|frère)',
  ],
  afterMe: [
    '(quand|lorsque|une fois que|pour quand|si|parce que) je (ne )?(serai|suis|serais|meurs|mourrai|partirai|serais) ?(plus là|plus|morte?|partie?|disparue?|pas là)?',
    '(après|avant) (ma mort|mon départ|mon suicide|de mourir|de partir pour toujours|d’en finir)',
    '(avant que|pour quand) je .. (parte|meure|disparaisse)',
  ],
  better: [
    '(mieux|plus facile|plus heureux|soulagés?|soulagement|plus simple|plus tranquilles?|libérés?|meilleure?|bien débarrassés)',
  ],
  withoutMe: [
    'sans moi',
    '(si|quand) je (n’|ne |n )?([^ .]+ )?(plus là|morte?|existais pas|existais plus|disparaissais|disparais|mourais|étais pas|étais plus|née?|partie?|serai plus là|meurs|exister)',
  ],
  noReason: [
    '(aucune?|plus de|pas de|plus aucune?|une seule|plus la|plus d’|n’ai plus) ?(bonne |seule )?(raison|raisons|but|sens|espoir|force|forces|avenir|intérêt|énergie)',
    '(à quoi (bon|ça sert|sert)|quel est l’intérêt|pourquoi (je )?(devrais|continuer|encore))',
    '(je (ne )?(vois|sais|comprends) (pas|plus) pourquoi)',
    '(rien|personne) .. (retient|rattache|vaut)',
  ],
  goOn: [
    '(continuer|continue|vivre|exister|me lever|me lève|me réveiller|me réveille|rester en vie|tenir|avancer|respirer|me battre|suis encore là|rester ici)(?! (la partie|le jeu|l’histoire|avec|à jouer))',
    '(retient|rattache) .. (ici|vie|monde)',
    '(de|d’) (vivre|avancer|lutter)',
  ],
  means: [
    '(cachets|médicaments|comprimés|pilules|somnifères|doliprane|antidouleurs|insuline|javel)',
    '(corde|noeud|ceinture)',
    '(pont|toit|falaise|balcon|rails|métro|train|quai|fenêtre|immeuble|autoroute|étage)',
    '(lame|rasoir|couteau|pistolet|fusil|arme|voiture|gaz)',
  ],
  useUp: [
    '(garde|gardé|mis de côté|stocké|stocke|accumulé|compté|compte|économisé) .. (assez|cachets|médicaments|comprimés|pilules|somnifères)',
    '(assez|suffisamment|de quoi) .. (mourir|me réveiller|en finir|partir|dormir pour toujours)',
    '(autour du|au) (cou|mon cou)',
    '(sauter|sauté|saute|me jeter|me jette|lâcher prise|me laisser tomber|faire un pas|un pas de plus|le vide)(?! (dans (la piscine|l’eau)|à la corde))',
    '(tout|tous|toute la boîte) (avaler|prendre|d’un coup)',
    '(avaler|prendre|avale|prends) (tout|tous|toute la boîte|la boîte entière)',
    '(tout|ce) serait (enfin )?(fini|terminé|plus simple)',
    '(plus jamais|ne plus|ne pas) me réveiller',
    '(contre|sur|dans) (ma )?(tempe|bouche|tête|gorge)',
  ],
  story: [
    '(on a|nous|elle|il|ils|rivière|lac|piscine|mer|garde|gardes|chevalier|dragon|démon|vampire|parachute|élastique|cheval|château|roi|reine|navire|pirates?|film|roman|jeu|chapitre|personnage|café|pizza|réveil|plantes?|téléphone|batterie|vitamines|antibiotiques)',
  ],
  wish: [
    '(j’aimerais|j’espère|je voudrais|je souhaite|si seulement|je prie|pourvu|j’adorerais|je rêve|ça ne me dérangerait pas|je veux|je serais soulagée?)',
  ],
  mishap: [
    '(camion|voiture|bus|train|foudre|avion|quelqu un|éclair|balle|dieu) .. (m’)?(mécrase*|écrase*|renverse*|percute*|foudroie*|tue|tuer|fauche*|emporte|rappelle|frappe|me prenne)',
    '(cancer|crise cardiaque|tumeur|maladie (mortelle|incurable)|avc)',
    '(mon coeur) .. (arrête|lâche|cesse)',
    '(me faire|être|fasse) (écraser|renverser|percuter|tuer|foudroyer)',
    '(ne (plus|pas)|plus jamais|jamais) (me|m’) ?(réveiller|réveille)',
    '(mourir|meure|parte) (dans mon sommeil|dans un accident)',
    'm’endormir (et|pour) .. (jamais|toujours)',
  ],
  dying: ['(mourir|mort|morte|suicide|meure|crever)'],
  relief: [
    '(grave|normal|ok|permis|droit|permission|autorise*) (de|si je) (mourir|meurs|partir)',
    '(mort|mourir|suicide) .. (soulagement|délivrance|paix|solution|issue|repos|libération|apaise*|mieux|belle|douce|amie|seule)',
    '(seule|unique) (solution|issue|échappatoire|option) .. (mort|mourir|suicide)',
    '(attends|hâte|besoin|désire|rêve) .. (la mort|de mourir|d’être morte?)',
    '(pense|penser|obsédée?) .. (mort|mourir) .. (temps|jours|sans arrêt|constamment|souvent|nuits)',
    '(pense|penser) .. (tout le temps|tous les jours|sans arrêt|constamment|sans cesse) .. (mort|mourir)',
    '(envie|jalouse|jaloux) .. (des morts|de ceux qui sont morts|les morts)',
  ],
  gone: [
    '(je )?(ne |n’)?(veux|voudrais|souhaite|ai envie d’|ai envie de) (plus|pas) (être là|être ici|être de ce monde|exister|être sur terre|être en vie|me réveiller)(?! (à cette|dans cette|avec|tôt|à [0-9]))',
    '(je ne|je n’|je) (serai|passerai|verrai|tiendrai|fêterai|survivrai|connaîtrai) (plus|pas) (là (demain|la semaine|longtemps|pour|à)|de ce monde|en vie|noël|la nuit|l’hiver|le printemps|l’été|l’année|mon (prochain )?anniversaire|la semaine|jusqu)',
    '(c’est|ce sera|sera) (mon|ma) (dernier|dernière) (noël|nuit|anniversaire|été|jour|message|soirée|hiver)(?! (de vacances|d’école|au lycée))',
    '(quand|lorsque) (tu|vous) (lis|liras|lirez|trouveras) .. (je serai|serai) .. (morte?|partie?|loin|plus là)',
    '(veux|voudrais|aimerais|envie de|envie d’|besoin de) (juste |simplement |seulement )*(dormir|m’endormir|disparaître|partir|m’effacer|arrêter d’exister|cesser d’exister|fermer les yeux) .. (toujours|jamais|bon|définitivement|exister)',
    '(quitter|quitte) (ce monde|cette terre|cette vie)',
    '(tout arrêter|en finir|passer à l’acte|mettre fin|ne plus être là) (ce soir|cette nuit|demain|bientôt|pour de bon|définitivement|avec la vie|avec tout ça)',
    '(pense|songe|envisage|décidé|pensais|résolu) .. (en finir|passer à l’acte|ne plus être là|quitter ce monde|mettre fin)(?! (avec (cette relation|mon contrat)|au))',
    '(aurais|devrais) .. (jamais (dû )?(naître|exister|née?)|pas (dû )?(naître|être née?|être en vie))',
    '(choisi|fixé|décidé) .. (jour|date|endroit|méthode|lieu) .. (mourir|en finir|fin|partir|mort)',
  ],
  wound: [
    '(me|m’|mes|je|j’ai|suis) .. (coupe|couper|coupée?|entaille|entaillée?|entailler|tailladée?|taillader|scarifie|scarifier|scarifiée?|brûle|brûler|brûlée?|gravée?|griffe|griffée?|griffer|gratte|mords|mordre|tape|frappe|lacère|lacérée?|plante|écrase|écrasée?|appuie|écorche)',
    '(gravé|coupé|entaillé|brûlé|tailladé|lacéré) ',
  ],
  flesh: [
    '(bras|avant bras|poignets?|cuisses?|jambes?|peau|ventre|mains?|veines|hanches?|chevilles?|épaule|corps)',
  ],
  blade: [
    '(lames?|rasoir|couteau|cutter|ciseaux|briquet|cigarettes?|verre|aiguille|compas|taille crayon|scalpel|fer)',
    '(mots?|lettres|nom|prénom)',
    '(sang|saigne|saigner|saignait|saigné)',
  ],
  because: [
    '(exprès|me punir|punition|mérite|me déteste|me hais|haine)',
    '(sentir|ressentir|soulage*|calme*|aide|tenir|douleur|contrôle|apaise*|engourdie?|vide|évacuer|pression)',
    '(encore|à nouveau|chaque (jour|soir|nuit|fois)|tous les (soirs|jours)|rechute|rechuté|recommencé|recommence|en cachette|secret|depuis|personne ne (sait|voit)|arrêter|m’empêcher|envie)',
    '(quand (je suis|ça va|je me sens)) .. (triste|mal|seule?|angoissée?|énervée?|vide)',
  ],
  hurtMyself: [
    '(me|m’|moi) ?(faire du mal|fais du mal|fait du mal|faire mal|blesser|blesse|couper|coupe|suis coupée?|scarifier|scarifie|suis scarifiée?|mutiler|mutile|brûler|frapper|frappe|punir|affamer|affame|griffer|taillader)',
    '(scarification|scarifications|automutilation|l’automutilation)',
    '(tape|cogne|frappe|taper|cogner) .. tête .. mur',
  ],
  marks: [
    '(cache|cacher|cachent|planque|dissimule|manches longues|pull) .. (cicatrices|coupures|marques|entailles|scarifications|plaies|bras|brûlures)',
    '(cicatrices|coupures|entailles|plaies) .. (que je me suis|de mes lames|fraîches|automutil*|rasoir|scarif*)',
    '(besoin|envie|veux|pulsions?|voudrais|vais) (de |d’)?(me |m’)(faire du mal|faire mal|blesser|couper|scarifier|mutiler|taillader|brûler|punir)',
    '(besoin|envie) .. (voir (mon |le |du )?sang|saigner|la lame|du rasoir)',
    '(rechuté|rechute) .. (coup*|scarif*|lame|mutil*|jours|mois|semaines)',
    '(lames?|rasoir) .. (cachée?s?|coque|matelas|appelle|seule? (amie?|chose))',
  ],
  accident: [
    '(accident|exprès non|cuisine|cuisinant|rasant|raser|sport|oignons?|légumes?|four|poêle|gâteau|pain|cheveux|papier|café|thé|chat|chien|rosiers?|épines|médecin|vaccin|tatou*|dragon|épée|démon|vampire|tombée?|foot|jardin*|bricol*)',
  ],
  attack: [
    `${VEUX} .. (poignarder|égorger|abattre|étrangler|empoisonner|assassiner|tirer sur|planter|flinguer|étouffer|noyer|buter|mettre une balle|attaquer|renverser) .. ${REEL}`,
    `(je) (poignarderai|égorgerai|étranglerai|empoisonnerai|abattrai|assassinerai|tirerai sur|poignarde|empoisonne) .. ${REEL}`,
    `${VEUX} .. (faire une fusillade|faire un massacre|tirer dans|faire sauter|brûler|incendier|mettre le feu|poser une bombe) .. (lycée|école|collège|bureau|travail|église|mosquée|maison|fac|boîte)`,
    `(peur) (de|que je) .. (tuer|tue|blesser|étrangler|étouffer|faire du mal|frapper) .. ${REEL}`,
    `(imagine|planifie|prépare|pense|penser) .. (comment|façon|meurtre|à) .. (tuer|empoisonner|poignarder|étrangler|meurtre) .. ${REEL}`,
  ],
  kill: [
    `${VEUX} .. (tuer|faire du mal|blesser|crever|frapper|cogner|buter|faire payer|régler son compte|me venger|éliminer) .. ${REEL}`,
    `je (tue|tuerai|bute|buterai|ferai payer) .. ${REEL}`,
    `${REEL} .. (va|doit|vont) .. (mourir|crever|payer)`,
  ],
  soon: [
    '(ce soir|cette nuit|demain|aujourd hui|maintenant|bientôt|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|ce week end|cette semaine|la semaine prochaine|après (les cours|le travail|l’école)|(dans|pendant) son sommeil|quand (il|elle) (dort|rentre|rentrera|dormira|sera)|tout à l’heure)',
    '(couteau|fusil|pistolet|arme|flingue|poison|hache|marteau|essence|carabine)',
    '(plan|prévu|planifié|décidé|tout prêt|préparé)',
  ],
  play: [
    '(haha*|lol|mdr|ptdr|xd|hihi|hehe)',
    '(s’il|si (elle|il|tu|mon frère|ma soeur)) .. (encore|mange|touche|prend|finit|spoil*)',
    '(dans|au|à) (le |la |un |ce |mon )?(jeu|minecraft|échecs|film|livre|roman|chapitre|pièce|histoire|jeu de rôle|mario kart|scène|fortnite)',
    '(orc|orque|dragon|gobelin|démon|vampire|roi|reine|trône|prince|princesse|royaume|épée|château|personnage|chevalier|sorcier|elfe|pistolet à eau|boules? de neige|gâteau|pizza|chatouilles|câlins?|surprise|télécommande|photos?)',
    '(ne veux pas|jamais|ne vais pas|veux pas)',
  ],
};

const VOGLIO =
  '(voglio|vorrei|devo|sto per|ho intenzione di|ho deciso di|ho voglia di|penso di|sto pensando di|sto progettando di|giuro che|non smetto di pensare a|non faccio che pensare a|sogno di|sono pronto a|sono pronta a|ho bisogno di|mi viene voglia di)( davvero| proprio)?';
const REALE =
  '((mi[oa]|miei|mie|il mio|la mia|i miei|nostr[oa]|una?|i|le|gli|alla mia|al mio|ai miei|tutti i miei|tutta la mia) (piccol[oa] |ex |maledett[oa] )*(padre|papà|madre|mamma|genitori|fratello|fratellino|sorella|sorellina|ex|ragazz[oa]|fidanzat[oa]|moglie|marito|compagn[oaie]|capo|collega|colleghi|vicin[oai]|prof|professore|professoressa|insegnante|maestr[oa]|classe|scuola|figli[oa]?|bambin[oai]|famiglia|zi[oa]|nonn[oa]|suocer[oa]|patrigno|matrigna|coinquilin[oa]|padrone di casa|bulli)|(tutti|gente|qualcuno|persone) (a|in|nel|nella|al|della) (mia |mio )?(scuola|classe|lavoro|ufficio|università|chiesa|liceo))';

export const ITALIAN_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(letter[ae]|bigliett[oi]|testamento|addio|password|video)',
    '(regalat[oaie]|regalando|dato via|regalo) .. (cose|gatto|cane|vestiti|giochi|tutto)',
    '(salutat[oi]|dire addio|detto addio|salutare) .. (tutti|per sempre|famiglia|amici)?',
    '(occuperai|occuperesti|prenditi cura|cura) .. (gatto|cane|mamma|sorella|fratello)',
  ],
  afterMe: [
    '(quando|una volta che|per quando|se|dopo che|perché) (io )?(non )?(ci )?(sarò|muoio|morirò|sono|sia|me ne sarò)( più| mort[oa]| andat[oa])?',
    '(dopo|prima di|prima della) (la )?(mia morte|morire|andarmene|farlo|mio suicidio|uccidermi)',
  ],
  better: [
    '(meglio|più facile|più felici|felice|sollevat[oaie]|sollievo|più seren[oaie]|più liber[oaie]|più semplice|in pace|più tranquill[oaie])',
  ],
  withoutMe: [
    'senza (di )?me',
    '(se|quando) (io )?(non )?(ci )?(fossi|esistessi|morissi|sparissi|fossi mai nat[oa]|sarò|muoio|sparisco)( più| mort[oa]| mai| sparit[oa]| nat[oa])*',
  ],
  noReason: [
    '(nessun[oa]?|non (ho|c è|vedo|trovo|mi resta)( più)?|alcun[oa]?|senza|un solo|perso) (più )?(nessun[oa]? |alcun[oa]? |un |una |la |le )?(motiv[oi]|ragion[ei]|senso|scopo|speranz[ae]|forz[ae]|futuro|voglia)',
    '(che senso ha|a che serve|perché (dovrei|continuo|continuare)|a che scopo)',
    '(non (so|vedo|capisco)( più)?) (perché|a che)',
    '(niente|nulla|nessuno) .. (trattiene|tiene|vale)',
  ],
  goOn: [
    '(andare avanti|vado avanti|continuare|vivere|svegliarmi|mi sveglio|alzarmi|mi alzo|esistere|resistere|respirare|lottare|restare (qui|in vita)|stare al mondo|tirare avanti)(?! (a giocare|con (la|questa|il)|insieme|la partita|in questa))',
    '(trattiene|tiene) .. (qui|vita|mondo)',
  ],
  means: [
    '(pillole|pasticche|pastiglie|compresse|farmaci|medicine|sonniferi|insulina|candeggina)',
    '(corda|cappio|cintura)',
    '(ponte|tetto|scogliera|balcone|binari|treno|metro|finestra|palazzo|cornicione|cavalcavia|autostrada)',
    '(lametta|lama|coltello|pistola|fucile|macchina|gas)',
  ],
  useUp: [
    '(messo da parte|conservat[oaie]|accumul*|raccolt[oaie]|raccogliendo|contat[oaie]|conto|contando|tenut[oe]) .. (abbastanza|pillole|pasticche|compresse|farmaci|sonniferi|pastiglie)',
    '(abbastanza|sufficienti) .. (morire|svegliarmi|finirla|farla finita|dormire per sempre)',
    '(al|intorno al|attorno al) (mio )?collo',
    '(saltare|salto|buttarmi|mi butto|lanciarmi|gettarmi|lasciarmi (cadere|andare)|fare un passo|un passo|nel vuoto)(?! (in (piscina|acqua)|la corda))',
    '(prenderle|prendere|ingoiarle|ingoiare|inghiottire|prendo|mandarle giù) (tutte|tutto|la scatola|il flacone)',
    '(tutte|tutto) (insieme|in una volta|d un colpo)',
    '(sarebbe|sarà|finirebbe) (tutto |finalmente )*(finito|così facile|tutto|in pace)',
    '(non|mai più) (svegliarmi|mi svegli*|mi sveglier*)( più)?',
    '(alla|contro la|in) (mia )?(tempia|testa|bocca|gola)',
  ],
  story: [
    '(noi|siamo|ci siamo|lei|lui|fiume|lago|piscina|guardia|guardie|cavaliere|drago|demone|vampiro|paracadute|cavallo|castello|re|regina|nave|pirat[ai]|film|romanzo|gioco|capitolo|personaggio|caffè|pizza|sveglia|piante|pianta|telefono|batteria|vitamine|antibiotici)',
  ],
  wish: ['(vorrei|spero|magari|desidero|prego|voglio|sogno|non mi dispiacerebbe|mi auguro|se solo)'],
  mishap: [
    '(camion|macchina|auto|treno|autobus|fulmine|qualcuno|aereo|dio|proiettile) .. (investi*|uccid*|colp*|travol*|ammazz*|port* via|prend*|schiacci*)',
    '(cancro|tumore|infarto|malattia (mortale|terminale))',
    '(mio cuore|cuore) .. (fermasse|ferm*|smett*|ceda)',
    '(essere|venire) (investit[oa]|travolt[oa]|colpit[oa]|uccis[oa])',
    '(non|mai più) (dovermi |svegliarmi|mi svegli*|risvegliarmi)( svegliare)?( più)?',
    '(morire|morissi) (nel sonno|in un incidente|dormendo)',
    'incidente .. (mortale|uccid*|morire)',
  ],
  dying: ['(morire|morte|mort[oa]|suicidio|muoio|suicidarmi)'],
  relief: [
    '(va bene|permesso|normale|ok|posso) (se |di |per )?(muoio|morire|morissi)',
    '(morte|morire|suicidio) .. (sollievo|pace|soluzione|uscita|liberazione|riposo|meglio|amica|conforto|unic[oa])',
    '(unic[oa]) (soluzione|via|uscita|opzione|scelta) .. (morte|morire|suicidio)',
    '(desidero|aspetto|non vedo l ora|bramo|voglia) .. (la morte|di morire|morire)',
    '(penso|pensare|pensando|ossession*) .. (morte|morire) .. (tempo|giorni|notti|continu*|sempre)',
    '(penso|pensare|pensando) .. (sempre|tutto il tempo|ogni (giorno|notte)|di continuo|continuamente) .. (morte|morire)',
    'invidio .. morti',
  ],
  gone: [
    'non (voglio|vorrei|desidero) più (esserci|esistere|stare (qui|al mondo)|essere (qui|viv[oa]|al mondo)|svegliarmi|restare in questo mondo)(?! (in (questa|questo)|con|presto|alle))',
    '(non (arriverò|arrivo|vedrò|ci sarò|supererò|sopravviverò|passerò)) (più )?(a |al |alla |il |la |per |fino )*(natale|compleanno|mio (prossimo )?compleanno|estate|notte|anno|settimana|domani|primavera|l estate|questa notte|prossim[oa]|fine)(?! perché (sono|devo))',
    '(il mio|la mia) ultim[oa] (natale|notte|compleanno|estate|giorno|messaggio|tramonto)(?! (di (scuola|vacanza|lavoro)))',
    '(quando|per quando) (leggerai|leggerete|leggi|troverai) .. (sarò|non ci) .. (mort[oa]|andat[oa]|sarò più|via)',
    '(voglio|vorrei|ho bisogno di|voglia di|potessi) (solo |soltanto |semplicemente )*(dormire|addormentarmi|sparire|scomparire|andarmene|chiudere gli occhi|cancellarmi|smettere di (esistere|respirare)|spegnermi) .. (sempre|mai più|più|mondo|esistere|respirare)',
    '(lasciare|abbandonare|andarmene da) (questo mondo|questa vita|questa terra)',
    '(penso|pensando|pensato|deciso|progettando|considerando) .. (farla finita|mettere fine|togliermi di mezzo|porre fine|finirla|non esserci più|un gesto estremo)',
    '(finirla|farla finita|chiudere tutto) (stanotte|stasera|oggi|domani|per sempre|una volta per tutte)',
    '(non (sarei|dovrei|avrei)) .. (mai )?(dovut[oa] nascere|nascere|dovuto nascere|essere viv[oa]|esistere)',
    '(scelto|deciso|fissato) .. (data|giorno|posto|metodo|modo) .. (morire|farla finita|andarmene|fine|morte)',
  ],
  wound: [
    '(mi|ho|sono|mio|mia) .. (tagli[oae]*|tagliat[oa]|tagliare|incis[oa]|incid[oe]|bruci[oa]*|bruciat[oa]|graffi[oa]*|graffiat[oa]|mord[oe]|mors[oa]|colpisc[oe]|picchi[oa]|spent[oa]|spengo|premo|premut[oa]|fatt[oa] dei tagli)',
    '(tagliarmi|bruciarmi|graffiarmi|incidermi|mordermi)',
  ],
  flesh: [
    '(braccio|braccia|avambracci[oa]|pols[oi]|cosc[ei]a?|gamb[ae]|pelle|pancia|man[oi]|vene|fianch[oi]|cavigli[ae]|corpo|stomaco)',
  ],
  blade: [
    '(lamett[ae]|lam[ae]|coltello|taglierino|forbici|accendino|sigarett[ae]|vetro|ago|compasso|temperino|bisturi|ferro)',
    '(parol[ae]|nom[ei]|letter[ae])',
    '(sangue|sanguin*)',
  ],
  because: [
    '(apposta|di proposito|puni*|merito|mi odio|odio il mio)',
    '(sentire|sento|sollievo|calma*|aiuta|resistere|dolore|controllo|rilassa|vuoto|sfog*)',
    '(di nuovo|ancora|ogni (giorno|notte|volta|sera)|tutte le sere|ricadut[oa]|ricominciat[oa]|di nascosto|segreto|da (anni|mesi|quando)|nessuno (lo )?sa|smettere|bisogno|voglia)',
    '(quando (sto|sono|mi sento|tutto)) .. (mal[ei]|triste|sol[oa]|ansia|vuot[oa]|troppo)',
  ],
  hurtMyself: [
    '(farmi (del )?male|ferirmi|tagliarmi|autolesion*|bruciarmi|picchiarmi|punirmi|graffiarmi|affamarmi)',
    'mi (faccio (del )?male|sono fatt[oa] (del )?male|taglio|sono tagliat[oa]|ferisco|picchio|punisco|mordo|graffio)',
    '(batto|sbatto|sbattere|battere|sbattuto) .. testa .. (muro|parete)',
  ],
  marks: [
    '(nascond*|copr[oie]*|maniche lunghe|felpa) .. (cicatrici|tagli|segni|ferite|braccia|bruciature)',
    '(cicatrici|tagli|ferite) .. (che mi (sono fatt[oa]|faccio)|della lametta|freschi)',
    '(bisogno|voglia|voglio|impulso|vorrei|tentazione|sto per|devo) (di )?(farmi (del )?male|ferirmi|tagliarmi|bruciarmi|punirmi)',
    '(bisogno|voglia|voglio) (di )?(vedere )?(il (mio )?sangue|sanguinare|la lametta|della lametta)',
    '(ricadut[oa]|ricaduta) .. (tagli*|autoles*|lametta|giorni|mesi|settimane)',
    '(lametta|lama) .. (nascosta|sotto|cover|chiama|unica)',
  ],
  accident: [
    '(incidente|sbaglio|per caso|cucin*|rad[eo]ndomi|rasoio elettrico|sport|cipoll[ae]|verdure|forno|padella|torta|pane|capelli|carta|caffè|tè|gatt[oa]|cane|rose|spine|medico|vaccino|tatuaggio|drago|spada|demone|vampiro|cadut[oa]|inciampat[oa]|calcio|giardin*|palestra)',
  ],
  attack: [
    `${VOGLIO} .. (accoltellare|pugnalare|sparare|avvelenare|assassinare|strangolare|sgozzare|affogare|soffocare|investire|attaccare|aggredire) .. ${REALE}`,
    `(accoltellerò|pugnalerò|avvelenerò|strangolerò|sparerò|accoltello|avveleno|strangolo) .. ${REALE}`,
    `${VOGLIO} .. (fare una strage|fare un massacro|bruciare|incendiare|dare fuoco|far saltare|mettere una bomba|sparare) .. (scuola|liceo|ufficio|lavoro|chiesa|casa|moschea|università)`,
    `paura (di|che) .. (uccidere|fare del male|strangolare|soffocare|accoltellare|ferire|uccida) .. ${REALE}`,
    `(immagino|pianifico|penso|pensare|studiando) .. (come|a|modo) .. (uccidere|avvelenare|accoltellare|strangolare) .. ${REALE}`,
  ],
  kill: [
    `${VOGLIO} .. (uccidere|ammazzare|fare (del )?male|ferire|picchiare|vendicarmi|eliminare|far fuori|farla pagare|far soffrire) .. ${REALE}`,
    `(ucciderò|ammazzerò|uccido|ammazzo|farò del male) .. ${REALE}`,
    `${REALE} .. (deve|devono|merita di|pagherà|morirà) ?(morire|pagare)?`,
  ],
  soon: [
    '(stasera|stanotte|domani|oggi|adesso|ora|presto|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|fine settimana|weekend|settimana prossima|dopo (scuola|il lavoro|la scuola)|nel sonno|mentre dorm*|quando (torna|dorme|rientra|esce|arriva))',
    '(coltello|pistola|arma|fucile|veleno|ascia|martello|benzina)',
    '(piano|pianificato|deciso|preparato|pronto)',
  ],
  play: [
    '(ah*aha*|haha*|lol|xd|hihi|eheh*)',
    '(se (mio|mia|lui|lei|mi|si|non)) .. (mangia|tocca|ancora|spoiler*|prende|ruba)',
    '(in|nel|al|a) (un |una |questo |il |la )?(gioco|minecraft|scacchi|film|libro|romanzo|capitolo|recita|storia|mario kart|scena|fortnite|briscola)',
    '(orco|drago|goblin|demone|vampiro|re|regina|trono|principe|principessa|regno|spada|castello|personaggio|cavaliere|mago|elfo|pistola ad acqua|palle di neve|torta|pizza|solletico|abbracci|baci|sorpresa|telecomando|foto)',
    '(non voglio|mai|non (ho|sto))',
  ],
};
