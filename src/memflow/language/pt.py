"""Portuguese cues (Brazil and Portugal)."""

# ruff: noqa: E501 (related cues share a line)

from __future__ import annotations

from memflow.language.cues import CueWords

PORTUGUESE = CueWords(
    code="pt",
    rules={
        0.9: r"""
            e (?:obrigatori[oa]|proibid[oa]|permitid[oa]|necessari[oa])|obrigatori[oa]s?
            proibid[oa]s?|e vedado|nao (?:e|sao) permitid[oa]s?|nao (?:se )?pode[ms]?
            so (?:podem?|se|com|quando|apos|depois|mediante)
            somente (?:se|com|quando|apos|mediante)|apenas (?:se|com|quando|apos|mediante)
            em (?:hipotese alguma|nenhuma hipotese|nenhuma circunstancia)|sem exce(?:p|)cao
            devem?|deverao|devera
        """,
        0.7: r"""
            sempre|nunca|jamais
            tem (?:que|de)|temos (?:que|de)|tens (?:que|de)|tenho (?:que|de)|precisam? (?:de|ser)
            a nao ser que|a menos que|salvo|exceto|excepto
            regras?|politica|norma|requisitos?|permitid[oa]s?
            no maximo|no minimo|pelo menos|ate \d+
            nao (?:use|faca|coloque|envie|mencione|deixe|abra|esqueca)
        """,
        0.4: r"""
            e preciso|convem|certifique-se|garanta|caso contrario|prazo
            todos os|todas as|cada|antes de|desde que
        """,
    },
    changes={
        0.8: r"""
            ja nao|nao \w+(?: \w+){0,4} mais|deixei de|parei de|desisti|larguei|abandonei
            costumava|antigamente|mudei|mudou|mudamos|troquei|trocou|passei (?:a|para)|passou (?:a|para)
            virei|tornei-me|me tornei|comecei|comecou|entrei|sai d[aeo]
            fui de .{1,60} para|passei de .{1,60} para|aument(?:ei|ou)|diminui|reduzi|subiu|caiu
            em vez de|ao inves de|voltei (?:a|para|ao)|de volta ao?|fui promovid[oa]|substitui
            adiado|cancelad[oa]|atualizei|atualizado
        """,
        0.5: r"""
            agora|atualmente|hoje em dia|finalmente|recentemente|ultimamente|ate agora|por enquanto
            desde|a partir de|acabei de|nov[oa]|mais uma?|alcancei|cheguei a|recorde
        """,
        0.3: r"""
            no inicio|no comeco|inicialmente|antes|depois|ainda
            em (?:19|20)\d\d|em (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto)
            em (?:setembro|outubro|novembro|dezembro)
            (?:semana|mes|ano) passad[oa]|ha \w+ (?:dias|semanas|meses|anos)
        """,
    },
    values={
        0.6: r"""
            (?:e|sao|era|esta|estao|custa|custou) (?:de |agora )?(?:r\$|€)?\d[\d.,:]*
            (?:tenho|temos|tinha|comprei) (?:\w+ ){0,2}\d[\d.,:]*
            (?:moro|vivo|trabalho|mudei) (?:em|na|no|para|como)|mudei-me para|me mudei para
            (?:meu|minha|meus|minhas) (?:\w+ ){1,4}(?:e|sao)|chama-se|se chama
        """,
        0.4: r"""
            sou|tenho|temos|uso|estou (?:em|na|no)
            agora|atualmente|acabei de|nov[oa]
            dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|duzia|mil
        """,
    },
)
