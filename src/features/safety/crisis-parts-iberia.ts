import type { CrisisParts } from './crisis-parts.ts';

const QUIERO =
  '(quiero|quisiera|voy a|vamos a|pienso|planeo|necesito|tengo que|tengo ganas de|he decidido|decidí|estoy a punto de|estoy planeando|estoy pensando en|no dejo de pensar en|no paro de pensar en|juro que voy a|estoy lista? para|estoy listo para|me dan ganas de|sueño con)( de verdad| realmente)?';
const REAL_ES =
  '((mi|mis|nuestro|una?|los|las|la|el|al|a todos (los|mis)) (pequeñ[oa] |ex |propi[oa] |maldit[oa] )*(padre|papá|madre|mamá|padres|herman[oa]s?|hermanit[oa]|ex|novi[oa]|espos[oa]|mujer|marido|pareja|jef[ea]|compañer[oa]s?|vecin[oa]s?|profesor|profesora|profesores|maestr[oa]|profe|clase|escuela|hij[oa]s?|niñ[oa]s|bebé|familia|tí[oa]|abuel[oa]|padrastro|madrastra|suegr[oa]|caser[oa]|exmarido|exmujer|exnovi[oa]|acosador|acosadores)|(todos|gente|alguien|todo el mundo) (en|de) (mi |la |el )?(escuela|colegio|instituto|trabajo|clase|oficina|iglesia|universidad))';

export const SPANISH_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(cartas?|notas?|testamento|despedidas?|contraseñas|videos?)',
    '(regal[eéoó]|regalado|regalando|doné|repartí) .. (cosas|gato|perro|ropa|juegos|todo)',
    '(despedí|despedirme|despedido|despidiendo|adiós)',
    '(cuidarás|cuida|cuides|cuidarías) .. (gato|perro|mamá|hermana|hermano)',
  ],
  afterMe: [
    '(cuando|una vez que|para cuando|si|porque|antes de que) (yo )?(ya )?(me )?(no )?(esté|estoy|haya|muera|muero|vaya|falte|voy)( muert[oa]| ido| aquí| más)?',
    '(después de|tras|antes de) (mi muerte|morir|morirme|irme|mi suicidio|hacerlo|matarme)',
  ],
  better: [
    '(mejor|mejores|más fácil|más felices|feliz|aliviad[oa]s?|alivio|más tranquil[oa]s?|más libres|más simple|en paz)',
  ],
  withoutMe: [
    'sin mí',
    '(si|cuando) (yo )?(ya )?(no )?(estuviera|estuviese|existiera|existiese|hubiera nacido|muriera|muriese|me muero|desapareciera|desaparezco|esté|me muriera|estoy|me fuera para siempre|me muera)( aquí| muert[oa]| más| viv[oa])?',
  ],
  noReason: [
    '(ningun[oa]?|no (hay|tengo|encuentro|veo|queda|quedan|me quedan?)|sin|ni una|ya no (hay|tengo|encuentro|veo|queda|me quedan?)|perdí) (ninguna?|más|una sola|la|las|el)? ?(razón|razones|motivos?|sentido|esperanzas?|fuerzas?|futuro|ganas|propósito)',
    '(para qué|qué sentido tiene|por qué (debería|sigo|seguir)|de qué sirve)',
    '(no (sé|veo|entiendo)) (por qué|para qué)',
    '(nada|nadie) .. (ata|retiene|vale)',
  ],
  goOn: [
    '(seguir|sigo|vivir|continuar|levantarme|me levanto|despertar|despertarme|existir|aguantar|respirar|luchar|estar aquí|seguir aquí|seguir viviendo|mantenerme viv[oa])(?! (la partida|jugando|con (la|esta|el)|juntos|en esta))',
    '(ata|retiene) .. (vida|mundo|aquí)',
  ],
  means: [
    '(pastillas|píldoras|medicamentos|somníferos|tabletas|insulina|cloro|calmantes)',
    '(soga|cuerda|cinturón)',
    '(puente|azotea|techo|acantilado|balcón|vías|tren|metro|andén|ventana|edificio|piso|autopista)',
    '(navaja|cuchilla|cuchillo|pistola|arma|coche|gas)',
  ],
  useUp: [
    '(guard[éeoa]|guardado|guardando|juntando|junté|juntado|acumul*|cont[éeo]|contando|ahorr*) .. (suficientes|bastantes|pastillas|píldoras|medicamentos|tabletas|somníferos)',
    '(suficientes|bastantes|suficiente) .. (morir|despertar|terminar|acabar|dormir para siempre)',
    '(al|alrededor del|en el) (cuello)',
    '(saltar|salto|lanzarme|tirarme|me tiro|me lanzo|arrojarme|dejarme caer|soltarme|dar un paso|un paso más|aventarme|vacío)(?! (a la (piscina|cuerda)|al (agua|lago)))',
    '(tomarme|tomarlas|tragarme|tragar|tomar|tomármelas) (todas|todo|el frasco|la caja|de golpe)',
    '(todas|todo) (de golpe|de una vez|juntas)',
    '(todo )?(se )?(acabaría|terminaría|habría acabado|sería tan fácil)( todo)?',
    '(no|nunca|jamás) (volver a )?(despertar|despertarme)',
    '(en|contra) (la |mi )?(sien|boca|cabeza|garganta)',
  ],
  story: [
    '(nosotros|saltamos|ella|él dijo|río|lago|piscina|guardia|guardias|caballero|dragón|demonio|vampiro|paracaídas|caballo|castillo|rey|reina|barco|piratas?|película|novela|juego|capítulo|personaje|café|pizza|alarma|plantas?|celular|batería|vitaminas|antibióticos)',
  ],
  wish: ['(ojalá|desearía|deseo|espero|quisiera|rezo|quiero|pido|sueño con|no me importaría|me gustaría)'],
  mishap: [
    '(camión|coche|carro|auto|tren|bus|rayo|alguien|avión|dios|bala|ojalá) .. (me )?(atropell*|pase por encima|mat[ea]*|parta|lleve|choque|caiga encima|me quite)',
    '(atropelle un (camión|coche)|cáncer|infarto|tumor|enfermedad (mortal|terminal))',
    '(mi corazón|el corazón) .. (pare|deje|detenga|detuviera|parara)',
    '(atropellen|atropellaran|maten|mataran|disparen)',
    '(no|nunca|jamás) (volver a |tener que |vuelva a )?(despertar|despertarme|despierte)',
    '(morir|morirme|muera) (mientras duermo|dormid[oa]|en un accidente|durmiendo)',
    '(accidente) .. (muera|mate|mortal)',
  ],
  dying: ['(morir|morirme|muerte|muert[oa]|suicidio|suicidarme|muera|muero)'],
  relief: [
    '(está bien|permiso|está mal|permites|es normal) (que me|si me|para|que|si|de)? ?(morir|muera|muero|morirme)',
    '(muerte|morir|morirme|suicidio) .. (alivio|descanso|paz|solución|salida|liberación|mejor|escape|amiga|consuelo|única)',
    '(única|última) (solución|salida|opción|escapatoria) .. (muerte|morir|suicidio|morirme)',
    '(anhelo|espero|deseo|ansío|ganas) .. (la muerte|de morir*|estar muert[oa])',
    '(pienso|pensar|pensando|obsesionad[oa]) .. (muerte|morir|morirme) .. (tiempo|días|noches|constantemente|siempre|rato)',
    '(pienso|pensar|pensando) .. (todo el tiempo|todos los días|cada noche|constantemente|siempre) .. (muerte|morir*)',
    '(envidia|envidio) .. muertos',
  ],
  gone: [
    '(ya )?no (quiero|deseo|quisiera) (ya )?(estar aquí|estar en este mundo|existir|seguir aquí|seguir viv[oa]|estar viv[oa]|despertar)( más| nunca)?(?! (en (esta|este) (ciudad|fiesta)|temprano|a las))',
    '(no (voy a|creo que|pienso)) (llegar|llegue|llegaré|ver|vea|pasar|pase|estar|esté|sobrevivir) .. (navidad|cumpleaños|verano|noche|año|semana|mañana|mes|viv[oa])(?! (porque|de viaje))',
    '(no (llegaré|veré|estaré viv[oa]|sobreviviré|pasaré)) ',
    '(mi|mis) últim[oa]s? (navidad|noche|cumpleaños|verano|día|mensaje|atardecer)(?! (de vacaciones|de clases|en (la|el)))',
    '(cuando|para cuando) (leas|leáis|lean|encuentres) .. (estaré|habré|ya no) .. (muert[oa]|ido|estaré|aquí)',
    '(quiero|quisiera|necesito|ojalá pudiera|ganas de) (solo |sólo |simplemente )*(dormir|dormirme|desaparecer|irme|cerrar los ojos|borrarme|apagarme|dejar de existir|dejar de respirar) .. (siempre|nunca|jamás|existir|respirar|mundo)',
    '(irme|dejar|abandonar|partir|me voy) (de )?(este mundo|esta vida|esta tierra)',
    '(pienso|pensando|pensado|decidido|decidí|planeando|considerando) .. (acabar con todo|terminar con todo|ponerle fin|quitarme de en medio|acabar con mi vida|no estar|hacer una locura|quitarme)',
    '(acabar|terminar) con (todo|esto) (esta noche|hoy|mañana|de una vez|para siempre)',
    '(nunca|no) (debí|debería) .. (nacer|haber nacido|existir|estar viv[oa])',
    '(elegí|elegido|escogí|decidí|tengo) .. (fecha|día|lugar|método) .. (morir|irme|terminar|acabar|final|muerte)',
    '(dejar|dejé) de (existir|respirar|ser una carga)',
  ],
  wound: [
    '(me|he|mis|estoy) .. (cort[oéeó]|corté|cortado|cortando|cortarme|tall[eéo]|tallado|grab[eé]|grabado|quem[oéeó]|quemado|quemarme|arañ[oéó]|arañado|rasguñ*|muerd[oe]|mordí|golpe[oé]|rajé|rajo|clav[oé]|rasgué|hago|hice|apag[oué]+|raspo)',
    '(cortarme|quemarme|arañarme|rajarme|tallarme|morderme|rasguñarme)',
  ],
  flesh: [
    '(brazos?|antebrazos?|muñecas?|muslos?|piernas?|piel|vientre|barriga|manos?|venas|tobillos?|caderas?|cuerpo|estómago)',
  ],
  blade: [
    '(cuchillas?|navajas?|cuchillo|cúter|tijeras|encendedor|mechero|cigarrillos?|cigarros?|vidrios?|aguja|compás|sacapuntas|bisturí|plancha)',
    '(palabras?|nombres?|letras)',
    '(sangre|sangra|sangrar|sangró|sangraba|cortes)',
  ],
  because: [
    '(a propósito|adrede|castig*|merezco|me odio|odio mi)',
    '(sentir|siento|alivia*|alivio|calma*|ayuda|aguantar|dolor|control|relaja|vacío|desahog*)',
    '(otra vez|de nuevo|cada (día|noche|vez)|todas las noches|todos los días|recaí|recaída|volví|a escondidas|secreto|desde (los|hace|que)|nadie (sabe|lo sabe)|no puedo parar|dejar de|necesito|ganas)',
    '(cuando (estoy|me siento|todo)) .. (trist*|mal|sol[oa]|ansios*|vací*|demasiado)',
  ],
  hurtMyself: [
    '(hacerme daño|lastimarme|cortarme|autolesionarme|herirme|quemarme|golpearme|castigarme|rasguñarme|arañarme|matarme de hambre)',
    '(me) (hago daño|hice daño|lastimo|lastimé|corto|corté|autolesiono|autolesioné|golpeo|golpeé|castigo|he cortado|he hecho daño|muero de hambre a propósito|muerdo)',
    '(autolesiones|autolesión|autolesionándome)',
    '(golpeo|golpear|golpeé|doy|pego) .. (cabeza|cabezazos) .. pared',
  ],
  marks: [
    '(escond*|ocult*|tap[oar]+|mangas largas|sudadera) .. (cicatrices|cortes|marcas|heridas|brazos|quemaduras)',
    '(cicatrices|cortes|heridas) .. (que me (hice|hago)|de la (navaja|cuchilla)|frescas?)',
    '(necesito|quiero|ganas de|impulso de|voy a|tentación de|muero por) (volver a )?(hacerme daño|lastimarme|cortarme|autolesionarme|quemarme|herirme|castigarme)',
    '(necesito|quiero|ganas de) (ver )?(mi sangre|sangrar|la cuchilla|la navaja)',
    '(recaí|recaída) .. (cort*|autoles*|navaja|cuchilla|días|meses|semanas)',
    '(navaja|cuchilla) .. (escondida|debajo|funda|llama|única)',
  ],
  accident: [
    '(accidente|sin querer|cocina*|afeit*|deporte|cebollas?|verduras?|horno|sartén|pastel|pan|pelo|cabello|papel|café|té|gat[oa]|perr[oa]|rosal|espinas|médico|vacuna|tatuaje|dragón|espada|demonio|vampiro|caí|tropecé|fútbol|jardín|gimnasio)',
  ],
  attack: [
    `${QUIERO} .. (apuñalar|acuchillar|disparar*|envenenar|asesinar|estrangular|degollar|ahogar|asfixiar|balear|atacar|atropellar|pegarle un tiro) .. ${REAL_ES}`,
    `(apuñalaré|envenenaré|asesinaré|dispararé|estrangularé|acuchillaré) .. ${REAL_ES}`,
    `${QUIERO} .. (hacer un tiroteo|hacer una masacre|provocar una masacre|quemar|incendiar|volar|prender fuego|poner una bomba|disparar) .. (escuela|instituto|colegio|oficina|trabajo|iglesia|casa|mezquita|universidad)`,
    `(miedo) (de|a|de que) .. (matar|mate|lastimar|lastime|hacerle daño|estrangular|apuñalar|ahogar) .. ${REAL_ES}`,
    `(imagino|planeo|planeando|pienso|pensar) .. (cómo|en|forma de) .. (matar|envenenar|apuñalar|estrangular) .. ${REAL_ES}`,
  ],
  kill: [
    `${QUIERO} .. (matar|hacerle daño|lastimar|herir|golpear|quemar|vengarme|eliminar|cargarme|hacer pagar|hacer sufrir) .. ${REAL_ES}`,
    `(mataré|mato|le haré daño|liquidaré) .. ${REAL_ES}`,
    `${REAL_ES} .. (va|tiene|van|merece) (a|que)? ?(morir|pagar)`,
  ],
  soon: [
    '(esta (noche|tarde|semana)|hoy|mañana|ahora|pronto|(el )?(lunes|martes|miércoles|jueves|viernes|sábado|domingo)|fin de semana|la próxima semana|después de (clase|clases|la escuela|el trabajo)|mientras duerm*|cuando (llegue|duerma|vuelva|salga|esté)|a la salida)',
    '(cuchillo|pistola|arma|rifle|escopeta|veneno|hacha|martillo|gasolina|navaja|machete)',
    '(plan|planeado|decidido|preparado|listo)',
  ],
  play: [
    '(jaja*|jeje*|lol|xd|jiji*)',
    '(si (mi|él|ella|vuelve|se|me|no)) .. (come*|toca|otra vez|vuelve|spoil*|quita)',
    '(en|del|al) (el |la |un |este |una )?(juego|minecraft|ajedrez|película|libro|novela|capítulo|obra|historia|rol|mario kart|escena|fortnite|parchís)',
    '(orco|dragón|duende|demonio|vampiro|rey|reina|trono|príncipe|princesa|reino|espada|castillo|personaje|caballero|mago|elfo|pistola de agua|bolas de nieve|pastel|pizza|cosquillas|abrazos?|besos|sorpresa|control remoto|fotos?)',
    '(no quiero|nunca|no voy a|jamás)',
  ],
};

const QUERO =
  '(quero|queria|gostaria de|vou|pretendo|penso em|estou pensando em|estou a pensar em|não paro de pensar em|não consigo parar de pensar em|decidi|preciso|tenho que|estou planejando|planejo|tenho vontade de|estou prestes a|juro que vou|estou pronto para|estou pronta para|sonho em|me dá vontade de)( mesmo| realmente)?';
const REAL_PT =
  '((meus?|minhas?|o meu|a minha|os meus|nosso|nossa|uma?|os|as|o|a|todos os|no meu|na minha|ao meu) (próprio |pequen[oa] |ex |maldit[oa] )*(pai|mãe|pais|irmão|irmãozinho|irmã|irmãos|ex|namorad[oa]|espos[oa]|mulher|marido|chefe|patrão|patroa|colegas?|vizinh[oa]s?|professor|professora|professores|turma|escola|filh[oa]s?|bebê|bebé|família|ti[oa]|avô|avó|padrasto|madrasta|sogr[oa]|companheir[oa]|ex namorad[oa]|ex mulher|ex marido|valentões|senhorio)|(todo mundo|toda a gente|todos|pessoas|alguém) (na|no|da|do|em) (minha |meu )?(escola|colégio|trabalho|sala|faculdade|igreja|escritório|turma))';

export const PORTUGUESE_PARTS: CrisisParts = {
  script: 'words',
  farewell: [
    '(cartas?|bilhetes?|testamento|despedidas?|senhas|vídeos?)',
    '(dei|doei|doando|dando|distribuí) .. (coisas|gato|cachorro|cão|roupas|jogos|tudo)',
    '(despedi|despedir|despedindo|adeus)',
    '(cuida|cuidar|cuidaria|tomar conta) .. (gato|cachorro|cão|mãe|irmã|irmão)',
  ],
  afterMe: [
    '(quando|depois que|para quando|se|porque|assim que) (eu )?(já )?(não )?(estiver|morrer|for|partir|estou|vou)( mort[oa]| mais| aqui| embora)*',
    '(depois d[ae]|após|antes d[ae]) (minha morte|morrer|ir embora para sempre|partir|meu suicídio|fazer isso|me matar)',
  ],
  better: [
    '(melhor|melhores|mais fácil|mais felizes|feliz|aliviad[oa]s?|alívio|mais tranquil[oa]s?|mais livres|mais simples|em paz)',
  ],
  withoutMe: [
    'sem mim',
    '(se|quando) (eu )?(já )?(não )?(estivesse|existisse|tivesse nascido|morresse|sumisse|desaparecesse|estiver|morrer|sumir|fosse embora)( aqui| mort[oa]| mais| viv[oa]| nascido)*',
  ],
  noReason: [
    '(nenhum[a]?|não (há|tenho|vejo|encontro|acho|resta|existe)( mais)?|sem|um único|perdi|qualquer) (mais )?(nenhum[a]? |uma? |as? )?(razão|razões|motivos?|sentido|esperanças?|forças?|futuro|vontade|propósito)',
    '(para quê|pra que|qual o sentido|por que (eu )?(deveria|continuo|continuar|ainda)|de que adianta)',
    '(não (sei|vejo|entendo)( mais)?) (por que|porque|para que|pra que)',
    '(nada|ninguém) .. (prende|segura|vale)',
  ],
  goOn: [
    '(continuar|continuo|viver|seguir em frente|levantar|me levantar|me levanto|acordar|acordo|existir|aguentar|respirar|lutar|estar aqui|ficar aqui|permanecer viv[oa])(?! (a jogar|jogando|com (a|essa|o)|juntos|nesta|a história))',
    '(prende|segura) .. (aqui|vida|mundo)',
  ],
  means: [
    '(comprimidos|remédios|pílulas|calmantes|medicamentos|insulina|veneno)',
    '(corda|forca|cinto)',
    '(ponte|telhado|terraço|penhasco|varanda|sacada|trilhos|trem|comboio|metrô|metro|janela|prédio|viaduto|andar)',
    '(gilete|lâmina|faca|pistola|arma|revólver|carro|gás)',
  ],
  useUp: [
    '(guard[oei]*|guardado|guardando|juntei|juntando|acumul*|contei|contando|separei) .. (suficientes?|bastantes?|comprimidos|remédios|pílulas|calmantes)',
    '(suficientes?|bastante) .. (morrer|acordar|acabar|dormir para sempre|partir)',
    '(no|ao redor do|à volta do|em volta do) (meu )?pescoço',
    '(pular|pulo|saltar|me jogar|jogar me|atirar me|me atirar|me lançar|me deixar cair|soltar|dar um passo|um passo|só um passo)(?! (na (piscina|água)|corda))',
    '(tomar|engolir|tomá los|engoli los) (tudo|todos|a caixa|o frasco)',
    '(todos|tudo) (de uma vez|juntos|duma vez)',
    '(tudo )?(acabaria|terminaria|estaria acabado|seria tão fácil)( tudo)?',
    '(não|nunca|nunca mais) (mais )?(acordar|acordo)( mais)?',
    '(na|contra a) (minha )?(têmpora|cabeça|boca|garganta)',
  ],
  story: [
    '(nós|pulamos|saltámos|ela|ele disse|rio|lago|piscina|guarda|guardas|cavaleiro|dragão|demônio|vampiro|paraquedas|cavalo|castelo|rei|rainha|navio|piratas?|filme|romance|jogo|capítulo|personagem|café|pizza|despertador|plantas?|celular|bateria|vitaminas|antibióticos)',
  ],
  wish: [
    '(queria|gostaria|espero|tomara|oxalá|desejo|rezo|quero|peço|quem me dera|sonho|não me importaria|bem que)',
  ],
  mishap: [
    '(caminhão|camião|carro|trem|ônibus|autocarro|raio|alguém|avião|deus|bala) .. (atropel*|mat[ae]*|passe por cima|leve|levasse|ating*|acert*|bat[ae]*)',
    '(câncer|cancro|infarto|enfarte|tumor|doença (terminal|fatal))',
    '(meu coração|coração) .. (pare|parasse|parar)',
    '(ser|fosse|seja) (atropelad[oa]|mort[oa]|atingid[oa]|baleado)',
    '(não|nunca|nunca mais) (ter que |precisar )?(acordar|acordasse|acorde)( mais)?',
    '(morrer|morresse) (dormindo|a dormir|num acidente|em um acidente|enquanto durmo)',
    'acidente .. (fatal|matasse|morr*)',
  ],
  dying: ['(morrer|morte|mort[oa]|suicídio|morresse|suicidar)'],
  relief: [
    '(tudo bem|permissão|normal|está bem|posso) (se eu |eu |para |de )?(morrer|morresse)',
    '(morte|morrer|suicídio) .. (alívio|descanso|paz|solução|saída|libertação|melhor|fuga|amiga|conforto|únic[oa])',
    '(únic[oa]) (solução|saída|opção|escolha|jeito) .. (morte|morrer|suicídio)',
    '(anseio|espero|desejo|vontade) .. (a morte|pela morte|de morrer|estar mort[oa])',
    '(penso|pensar|pensando|obcecad[oa]) .. (morte|morrer) .. (tempo|dias|noites|constantemente|sempre|hora)',
    '(penso|pensar|pensando) .. (o tempo todo|todos os dias|toda noite|constantemente|sempre) .. (morte|morrer)',
    'inveja .. mort(os|o)',
  ],
  gone: [
    '(já )?não (quero|queria|desejo) mais (estar aqui|estar neste mundo|existir|ficar aqui|ficar neste mundo|estar viv[oa]|acordar)(?! (nest[ae]|nesse|cedo|às))',
    'não quero (estar aqui|existir|estar neste mundo|acordar) (mais|nunca mais)(?! (nest[ae]|cedo))',
    '(não (vou|acho que)) (chegar|chego|ver|veja|passar|passe|estar|sobreviver) .. (natal|aniversário|verão|noite|ano|semana|amanhã|mês|viv[oa])(?! (porque|de viagem))',
    '(meu|minha) últim[oa] (natal|noite|aniversário|verão|dia|mensagem|pôr do sol)(?! (de (férias|aula|trabalho)))',
    '(quando) (leres|ler|lerem|encontrar) .. (estarei|terei|não vou) .. (mort[oa]|partido|estar|longe|aqui)',
    '(quero|queria|preciso|pudesse|vontade de) (só |apenas |simplesmente )*(dormir|adormecer|sumir|desaparecer|ir embora|fechar os olhos|me apagar|deixar de existir|parar de (existir|respirar)) .. (sempre|nunca|mais|mundo|existir|respirar|vez)',
    '(deixar|sair|partir|ir embora) (d)?(este mundo|esta vida|deste mundo|desta vida|desse mundo)',
    '(penso|pensando|pensado|decidi|planejando|considerando|pensar) .. (acabar com tudo|pôr fim|dar um fim|terminar com tudo|tirar a minha vida|não estar mais aqui|fazer uma besteira)',
    '(acabar|terminar) com (tudo|isto|isso) (hoje|esta noite|amanhã|de vez|de uma vez|para sempre)',
    '(nunca|não) (devia|deveria) .. (nascido|nascer|existir|estar viv[oa])',
    '(escolhi|decidi|marquei|já tenho) .. (data|dia|lugar|método|sítio) .. (morrer|partir|acabar|fim|morte)',
  ],
  wound: [
    '(me|mim|eu|meus?|minhas?|estou) .. (cort[oei]*|cortei|cortar|cortando|risqu?[oei]*|queim[oei]*|queimei|queimar|arranh[oei]*|mord[oi]|bat[oi]|esculpi|grav[oei]+|rasgu?[oei]+|apagu?[oei]+|encost[oei]+|furo)',
    '(cortar me|queimar me|cortei me|arranhar me|corto me|queimei me|risquei|gravei|talhei)',
  ],
  flesh: ['(braços?|antebraços?|pulsos?|coxas?|pernas?|pele|barriga|mãos?|veias|tornozelos?|quadril|corpo)'],
  blade: [
    '(giletes?|lâminas?|navalha|faca|estilete|tesoura|isqueiro|cigarros?|vidro|agulha|compasso|apontador|bisturi|x ato|ferro)',
    '(palavras?|nomes?|letras)',
    '(sangue|sangr*|cortes)',
  ],
  because: [
    '(de propósito|castig*|punir|mereço|me odeio|odeio me|odeio meu)',
    '(sentir|sinto|alivia*|alívio|acalma*|ajuda|aguentar|dor|controle|vazio|desabaf*)',
    '(outra vez|de novo|cada (dia|noite|vez)|tod[ao]s? (a |as |os )?(noites?|dias?)|recaí|recaída|voltei|escondid[oa]s?|segredo|desde|ninguém (sabe|vê)|não consigo parar|parar de|preciso|vontade)',
    '(quando (estou|me sinto|tudo)) .. (trist*|mal|sozinh[oa]|ansios*|vazi*|demais)',
  ],
  hurtMyself: [
    '(me (machucar|ferir|cortar|queimar|punir|arranhar|bater|mutilar|magoar)|machucar me|magoar me|ferir me|cortar me|mutilar me)',
    '(me (machuco|machuquei|corto|cortei|firo|feri|bato|queimo|castigo|mordo|mutilo)|corto me|cortei me|magoo me|magoei me)',
    '(automutilação|automutil*|autolesão)',
    '(bato|bater|bati) .. cabeça .. parede',
  ],
  marks: [
    '(escond*|cubro|cobrir|tapar|mangas? (longas?|compridas?)|moletom) .. (cicatrizes|cortes|marcas|feridas|braços|queimaduras)',
    '(cicatrizes|cortes|feridas) .. (que (eu )?(me )?(fiz|faço)|da (lâmina|gilete)|frescos)',
    '(preciso|quero|vontade de|impulso de|vou|tentação de) (voltar a )?(me (machucar|ferir|cortar|queimar|punir|mutilar)|(machucar|magoar|ferir|cortar|queimar|mutilar) me)',
    '(preciso|quero|vontade de) (ver )?(meu sangue|o sangue|sangrar|a lâmina|da gilete)',
    '(recaí|recaída) .. (cort*|automutil*|lâmina|gilete|dias|meses|semanas)',
    '(lâmina|gilete) .. (escondida|debaixo|capinha|chama|únic[oa])',
  ],
  accident: [
    '(acidente|sem querer|cozinh*|barbe*|depil*|esporte|desporto|cebolas?|legumes|forno|panela|bolo|pão|cabelo|papel|café|chá|gat[oa]|cachorr[oa]|cão|roseira|espinhos|médico|vacina|tatuagem|dragão|espada|demônio|vampiro|caí|tropecei|futebol|jardim|academia|ginásio)',
  ],
  attack: [
    `${QUERO} .. (esfaquear|apunhalar|atirar|envenenar|assassinar|estrangular|degolar|afogar|sufocar|balear|atacar|atropelar|dar um tiro) .. ${REAL_PT}`,
    `(esfaquearei|envenenarei|assassinarei|estrangularei|esfaqueio|enveneno) .. ${REAL_PT}`,
    `${QUERO} .. (fazer um massacre|fazer uma chacina|queimar|incendiar|tacar fogo|pôr fogo|explodir|pôr uma bomba|colocar uma bomba|atirar) .. (escola|colégio|escritório|trabalho|igreja|casa|mesquita|faculdade)`,
    `medo de .. (matar|machucar|magoar|estrangular|esfaquear|sufocar|fazer mal) .. ${REAL_PT}`,
    `(imagino|planejo|planejando|penso|pensar) .. (como|em|jeito) .. (matar|envenenar|esfaquear|estrangular) .. ${REAL_PT}`,
  ],
  kill: [
    `${QUERO} .. (matar|machucar|magoar|ferir|bater|queimar|me vingar|eliminar|fazer mal|fazer pagar|fazer sofrer|acabar com) .. ${REAL_PT}`,
    `(matarei|mato|liquidarei) .. ${REAL_PT}`,
    `${REAL_PT} .. (vai|tem que|vão|merece) .. (morrer|pagar)`,
  ],
  soon: [
    '(esta (noite|tarde|semana)|hoje|hoje à noite|amanhã|agora|logo|em breve|(na )?(segunda|terça|quarta|quinta|sexta)|sábado|domingo|fim de semana|semana que vem|próxima semana|depois d(a escola|a aula|as aulas|o trabalho)|enquanto (dorme*|ele dorme|ela dorme)|quando (chegar|dormir|voltar|sair|estiver|ele|ela))',
    '(faca|pistola|arma|rifle|espingarda|veneno|machado|martelo|gasolina|revólver|facão)',
    '(plano|planejado|decidido|decidi|preparado|pronto)',
  ],
  play: [
    '(haha*|kk+|rs|rsrs|lol|xd|hehe*)',
    '(se (meu|minha|ele|ela|me|não)) .. (com*|tocar|de novo|spoiler*|pegar|mexer)',
    '(no|na|do|em|ao) (um |uma |esse |este )?(jogo|minecraft|xadrez|filme|livro|romance|capítulo|peça|história|rpg|mario kart|cena|fortnite|uno)',
    '(orc|dragão|goblin|demônio|vampiro|rei|rainha|trono|príncipe|princesa|reino|espada|castelo|personagem|cavaleiro|mago|elfo|pistola de água|bolas? de neve|bolo|pizza|cócegas|abraços?|beijos|surpresa|controle remoto|fotos?)',
    '(não quero|nunca|não vou|jamais)',
  ],
};
