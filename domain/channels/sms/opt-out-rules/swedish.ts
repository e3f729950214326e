import { type OptOutRules, patterns } from './rules.js';

const lists = {
  msg: 'sms|smsen|sms et|meddelanden?|meddelandena|mess|notiser|aviseringar|paminnelser|utskick|utskicken|mejl|mail|epost|e post|nyhetsbrev|reklam|spam|skrap|samtal|samtalen|telefonsamtal|textmeddelanden',
  act: 'skicka|skicka ut|smsa|sms a|messa|texta|kontakta|ringa|mejla|maila|skriva|spamma|stora|trakassera|hora av er|hora av dig|tjata|besvara',
};

export const swedish: OptOutRules = {
  says: patterns(
    lists,
    String.raw`\b(?:sluta|slutar|upphor|stoppa|stopp|avsluta|avbryt|stop|lagg av)(?: (?:genast|nu|upp|med|att|er|ni|tack|for|alla|era|dessa|de har|snalla|omedelbart|bara|allt|mig|dina|de|den har|har|har med|och|med att))* (?:{act}|{msg})\b`,
    String.raw`\b(?:skicka|sand)(?: (?:till|mig|oss|mej|ut|snalla|tack))* (?:inte|inga|aldrig|ej|inget|ingenting)\b(?: (?:mer|mera|fler|nagra|langre|till mig|mig|flera|av|era|dessa|mer till mig|igen))*(?: (?:{msg}|mer|mera|langre|igen|till mig))?(?: (?:tack|snalla))*$`,
    String.raw`\b(?:skicka|sand)(?: (?:till|mig|oss|mej))* (?:inte|inga|aldrig|ej)(?: (?:mer|mera|fler|nagra|langre|mig|flera|era|dessa|till))* (?:{msg}|mer|mera|langre)\b`,
    String.raw`\b(?:ring|kontakta|smsa|sms a|messa|texta|mejla|maila|stor|spamma|besvara)(?: (?:till|mig|oss|mej))+ (?:inte|aldrig|ej)\b`,
    String.raw`\b(?:ring|kontakta|smsa|sms a|messa|texta|mejla|maila|stor|spamma|besvara) (?:inte|aldrig|ej)(?: (?:till|hit))* (?:mig|oss|mer|mera|langre|igen)\b`,
    String.raw`\b(?:skriv)(?: (?:till|mig|oss|mej))* (?:inte|aldrig|ej)(?: (?:mer|mera|langre|till mig|igen|mer till mig))+`,
    String.raw`\bhor (?:inte|aldrig) av (?:er|dig)\b`,
    String.raw`^(?:(?:tack|snalla|nej|hej|ok|och|jag vill ha|skicka) )*(?:inga|inte fler|inte mer|nog med|slut med|nog)(?: (?:fler|flera|mer|mera|av|era|dessa|de har|nya|med))* (?:{msg})\b`,
    String.raw`\b(?:vill|onskar|behover|orkar|onskade|tanker)(?: (?:jag|vi|verkligen|absolut|helst))* (?:inte|ej|aldrig|inga|slippa|inte langre|inte mer)(?: (?:langre|ha|fa|mer|mera|fler|flera|era|dessa|de har|dom har|alla|ta|emot|ta emot|nagra|bli|ens|mottaga|motta|av|sadana|har|lasa|att ni|att du|att|ni))* (?:{msg}|{act}|kontaktad|kontaktas|uppringd|stord|skickar|ringer|smsar|messar|kontaktar|skriver|mejlar|hora fran er|hora av er)\b`,
    String.raw`\bvill (?:jag )?(?:sluta|slippa|avsluta|stoppa|avbryta)(?: (?:att|med|ha|fa|fler|era|dessa|alla|de har|mina|mer|dina|av))* (?:{msg})\b`,
    String.raw`\b(?:ta|tag|plocka|radera|stryk) (?:bort |ur )?(?:mig|mitt (?:nummer|telefonnummer|namn|mobilnummer)|mina (?:uppgifter|kontaktuppgifter)|min (?:mejl|mail|epost|adress)|det har numret|numret)\b`,
    String.raw`\b(?:ta|tag) (?:mig|mitt nummer|mitt namn) (?:bort |ur |av )?(?:fran|ur|bort|av)\b`,
    String.raw`\b(?:avregistrera|avanmal|avanmala|avprenumerera|avregistrering|avanmalan|avbestalla|avbestall|avregistreras|avsluta (?:min |mitt |mina )?(?:prenumeration\w*|abonnemang\w*|utskick\w*|sms|sms tjanst\w*))\b`,
    String.raw`\b(?:lamna|lat) (?:mig|oss) (?:vara )?(?:i fred|ifred|vara|i ro)\b`,
    String.raw`\b(?:aterkallar|aterkalla|drar tillbaka|tar tillbaka)(?: (?:harmed|jag))* (?:mitt|min|allt|alla) (?:samtycke|medgivande|tillatelse)\b`,
    String.raw`\b(?:glom|slang|tappa bort) mitt (?:telefon|mobil)?nummer\b`,
    String.raw`\b(?:undanber|avbojer|avsaga|avsager|(?:tackar|sager) nej till)(?: (?:jag|mig|oss))*(?: (?:alla|fler|vidare|ytterligare|era|fortsatta))* (?:{msg}|kontakt)\b`,
    '^(?:(?:snalla|nu|kan ni|kan du|kan|ni|du|tack|hej|men|nej|bara) )*(?:sluta|stopp|stoppa|lagg av|stop)(?: (?:nu|tack|genast|snalla|med det|med det har|for fan|omedelbart|upp|detta|det har|direkt))*$',
  ),
  hints: patterns(
    lists,
    String.raw`\bfel (?:nummer|person)\b`,
    '^(?:(?:nu|det|ok) )*(?:racker|det racker|nog nu|nog|spam|dra at helvete|stick|ga bort|inget mer|inte mer|fler inte|inga fler)(?: (?:nu|tack))*$',
    String.raw`\b(?:hur|var)\b(?: \w+){0,4}? (?:avregistrer\w+|avanmal\w+|avprenumerer\w+)\b`,
    String.raw`\bhur\b(?: \w+){0,4}? (?:avslutar?|stoppar?|slutar?|slippe?r?|slippa|tar bort)(?: \w+){0,4}? (?:{msg})\b`,
    String.raw`\b(?:for manga|trott pa|less pa|irriterande|jobbigt med)\b(?: \w+){0,3}? ?(?:{msg})\b`,
    String.raw`\b(?:blockerar|anmaler|blockera|sparrar)\b(?: \w+){0,2}?(?: (?:er|numret|nummer|detta|avsandaren|det har))?$`,
    String.raw`\bhar (?:aldrig|inte) (?:bett om|anmalt|godkant|bestallt|samtyckt)\b`,
  ),
  never: patterns(
    lists,
    String.raw`\b(?:sluta|stoppa|slutar|avsluta|ta|avregistrera|upphor|avbryt|stryk|avanmal) (?:\w+ )?(?:inte|aldrig|ej)\b`,
    String.raw`\b(?:inte|aldrig|kan inte|vill inte|ej|varfor|nar)\b(?: (?:jag|ni|du|att|vill|kan|ska|bor|borja|de|har))* (?:sluta|slutar|slutade|slutat|stoppa|stoppade|avsluta|avregistrera|avregistrerad|upphor|upphorde|slutas)\b`,
    String.raw`\b(?:inte|aldrig)\b(?: (?:missa|vill missa|ga miste|glomma|stora er|stora dig|besvara er|missa nagra))\b`,
    String.raw`\bvill (?:jag )?inte (?:missa|stora|besvara|glomma|ga miste)\b`,
    String.raw`\b(?:jag|vi|hon|han|de|mamma|pappa|min \w+)(?: (?:ska|skall|maste|borde|kommer att|behover|har|forsoker|kan|bor|tanker))* (?:slutat?|slutade|sluta)(?: (?:att|med))* (?:roka|ta|skriva till|ringa till|smsa honom|smsa henne|messa|snusa|ata|dricka|smsa|ringa)\b`,
    String.raw`\b(?:fick|far|har fatt|kom|kommit|finns|fanns|sett|ser)(?: (?:jag|vi|det|inte))* (?:inga|inget|inte nagra)\b`,
    String.raw`\binga(?: (?:fler|mer|nya))* (?:{msg})(?: (?:har|kom|kommer|idag|an|igar|finns|syns|an sa lange))`,
    String.raw`\b(?:ta bort|ta|avbestall\w*|avregistrera|stryk)\b(?:.*\b(?:stygn\w*|vantelist\w*|kon|tiden|bokning\w*|kurs\w*|gruppen|klassen|passet|gips\w*|tand\w*|gympa\w*|tid))\b`,
    String.raw`\b(?:han|hon|de|mitt ex|mannen|grannen|chefen)\b(?: \w+){0,3}? (?:lamna|lamnar|slutar|sluta|ringa)\b`,
    String.raw`\b(?:sa|sag|bad|ber|be) (?:at |till )?(?:honom|henne|dem|min \w+|mitt ex)(?: att)? (?:sluta|inte)\b`,
    String.raw`\blamna(?: \w+)? (?:mig|oss) inte\b`,
  ),
  doubts: patterns(
    lists,
    String.raw`\b(?:fore|innan|efter|klockan|kl|pa natten|natten|nattetid|kvallen|kvallar|morgonen|idag|i dag|imorgon|i morgon|pa helgen|helgen|helger|under|just nu|nar|om|utan|istallet|i stallet|hellre|sa ofta|sa tidigt|sa sent|angaende|gallande|pa jobbet|jobbet|forran|tills|medan|mellan|pa sondagar|sondag\w*|lordag\w*|mandag\w*|fredag\w*|per post|med post|dubbla|samma|engelska|svenska|tva ganger|for tidigt|for sent|aven|hemtelefonen|gamla|mamma|pappa|min man|min fru|tidningen|tidning)\b`,
    String.raw`\b(?:hur|vad|vem|kanske|borde jag|kan jag|far jag|ska jag|maste jag)\b`,
  ),
  both: [
    /\b(?:sluta|slut|stoppa?|upphor\w*|avsluta|nog|slippa|vill inte|onskar inte|inga fler|inte mer|langre|lagg av|avbojer|undanber|trott|far inte)\b/u,
    /\b(?:sms\w*|meddelanden\w*|utskick\w*|notiser|paminnelser|messa\w*|texta\w*|kontakta(?:d|s)?|mejl\w*|spam\w*|hora av er|ringa mig|er lista|listan)\b/u,
  ],
  requests: /\b(?:kan|kunde|skulle|vill) (?:ni|du)\b|\bsnalla\b/u,
};
